import { parse } from 'yaml';
import { checkedHcl } from './terraform-findings';

/* Objects of Kubernetes that stand as YAML in a configuration: code for them is YAML, and goes between the lines there. */

const CLUSTER = 'resource "aws_eks_cluster" "main" {\n  name = "main"\n  role_arn = "r"\n  version = "1.35"\n}\n';

const AROUND = {
  'the text of kubectl_manifest': ['resource "kubectl_manifest" "this" {\n  yaml_body = <<-YAML\n', '  YAML\n}\n'],
  'text that yamldecode reads': [
    'resource "kubernetes_manifest" "this" {\n  manifest = yamldecode(<<-YAML\n',
    '  YAML\n  )\n}\n',
  ],
  'text with a part that is not known': [
    'variable "team" {}\nresource "kubernetes_manifest" "this" {\n  manifest = yamldecode(<<-YAML\n    # ${var.team}\n',
    '  YAML\n  )\n}\n',
  ],
} as const;

const OBJECTS = [
  [
    'security-group-policy',
    'apiVersion: vpcresources.k8s.aws/v1beta2\nkind: SecurityGroupPolicy\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  podSelector: {}\n  securityGroups:\n    groupIds: [sg-0123456789abcdef0]\n',
    [],
  ],
  [
    'imds-hop-limit',
    'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata:\n  name: default\nspec:\n  role: nodes\n  amiSelectorTerms:\n    - alias: al2023@v20250920\n  subnetSelectorTerms:\n    - tags: { a: b }\n  securityGroupSelectorTerms:\n    - tags: { a: b }\n',
    ['spec'],
  ],
] as const;

describe.each(Object.entries(AROUND))('%s', (_, [before, after]) => {
  it.each(OBJECTS)('takes the fix of %s', (rule, object, path) => {
    const text = (yaml: string): string => `${CLUSTER}${before}${yaml.replaceAll(/^(?=.)/gm, '    ')}${after}`;
    const finding = checkedHcl(text(object)).findings.find((one) => one.rule === rule);
    const { fixCode = '' } = finding ?? {};
    expect(fixCode).not.toMatch(/ = /);
    // What the code sets takes the place of what is set.
    const set = parse(fixCode) as Record<string, unknown>;
    const document = parse(object) as Record<string, unknown>;
    Object.assign(
      path.reduce((at, key) => at[key] as Record<string, unknown>, document),
      set,
    );
    expect(checkedHcl(text(JSON.stringify(document))).findings.map((one) => one.rule)).not.toContain(rule);
  });

  it('is HCL where the object is', () => {
    const object = `${CLUSTER}resource "kubernetes_manifest" "this" {\n  manifest = {\n    apiVersion = "vpcresources.k8s.aws/v1beta2"\n    kind = "SecurityGroupPolicy"\n    metadata = { name = "web", namespace = "shop" }\n    spec = { podSelector = {}, securityGroups = { groupIds = ["sg-0123456789abcdef0"] } }\n  }\n}\n`;
    const finding = checkedHcl(object).findings.find(({ rule }) => rule === 'security-group-policy');
    expect(finding?.fixCode).toBe('apiVersion = "vpcresources.k8s.aws/v1beta1"');
  });
});
