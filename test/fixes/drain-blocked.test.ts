import { AS_OF } from '../as-of';
import { checkedHcl } from './obeyed/terraform-findings';

const GROUP = [
  'resource "aws_eks_cluster" "main" {',
  '  name     = "main"',
  '  role_arn = "arn:aws:iam::111122223333:role/cluster"',
  '  version  = "1.35"',
  '}',
  'resource "aws_eks_node_group" "workers" {',
  '  cluster_name  = aws_eks_cluster.main.name',
  '  node_role_arn = "arn:aws:iam::111122223333:role/nodes"',
  '}',
  'resource "kubernetes_deployment_v1" "web" {',
  '  metadata {',
  '    name      = "web"',
  '    namespace = "shop"',
  '  }',
  '  spec {',
  '    replicas = 1',
  '    template {',
  '      metadata {',
  '        labels = { app = "web" }',
  '      }',
  '      spec {',
  '        container {',
  '          name  = "web"',
  '          image = "web:1"',
  '        }',
  '      }',
  '    }',
  '  }',
  '}',
].join('\n');

const HEAD = 'apiVersion = "policy/v1"\nkind = "PodDisruptionBudget"\nmetadata = { name = "web", namespace = "shop" }';
const SELECTOR = 'selector = { matchLabels = { app = "web" } }';

/** The same budget in each way of writing it. */
const WRITTEN: Readonly<Record<string, string>> = {
  'a resource with blocks':
    'resource "kubernetes_pod_disruption_budget_v1" "web" {\nmetadata {\nname = "web"\nnamespace = "shop"\n}\nspec {\nmin_available = "1"\nselector {\nmatch_labels = { app = "web" }\n}\n}\n}',
  'an object': `resource "kubernetes_manifest" "web" {\nmanifest = {\n${HEAD}\nspec = {\nminAvailable = 1\n${SELECTOR}\n}\n}\n}`,
  'an encoded object': `resource "kubectl_manifest" "web" {\nyaml_body = yamlencode({\n${HEAD}\nspec = {\nminAvailable = 1\n${SELECTOR}\n}\n})\n}`,
  YAML: 'resource "kubectl_manifest" "web" {\nyaml_body = <<-YAML\n  apiVersion: policy/v1\n  kind: PodDisruptionBudget\n  metadata:\n    name: web\n    namespace: shop\n  spec:\n    minAvailable: 1\n    selector:\n      matchLabels:\n        app: web\n  YAML\n}',
};

describe('the advice about a budget, where its line is replaced', () => {
  it.each(Object.entries(WRITTEN))('%s', (_, text) => {
    const check = (budget: string) => {
      const { findings, problems } = checkedHcl(`${GROUP}\n${budget}\n`, AS_OF, {});
      expect(problems).toEqual([]);
      return findings.filter(({ rule }) => rule === 'drain-blocked');
    };
    const [finding, ...others] = check(text);
    expect([finding?.messageId, finding?.severity, others]).toEqual(['none-allowed', 'error', []]);
    const after = text.replace(
      /^(\s*)min_?[aA]vailable.*$/m,
      (_line, indent: string) => indent + (finding?.fixCode ?? ''),
    );
    expect(after).not.toBe(text);
    expect(check(after)).toEqual([]);
  });
});

it('where Terraform ignores changes of the spec, something else sets how many pods there are', () => {
  const ignoring = GROUP.replace(/\n\}$/, '\n  lifecycle {\n    ignore_changes = [spec[0].replicas]\n  }\n}');
  const severityOf = (text: string) =>
    checkedHcl(`${text}\n${WRITTEN['a resource with blocks'] ?? ''}\n`, AS_OF, {}).findings.find(
      ({ rule }) => rule === 'drain-blocked',
    )?.severity;
  expect([severityOf(GROUP), severityOf(ignoring)]).toEqual(['error', 'warning']);
});
