import { checkFiles } from '../kubernetes/manifests';

/** Lines of findings about objects that Terraform applies. */
const linesOf = (text: string): readonly string[] => checkFiles({ 'main.tf': text }).failures;

const REST = 'nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}';

it('a text in YAML: the line of the field, also behind what is not known', () => {
  expect(
    linesOf(`variable "name" {}
resource "kubectl_manifest" "pool" {
  yaml_body = <<-YAML
    apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata:
      name: \${var.name}
    spec:
      template:
        spec:
          ${REST}
          requirements:
            - {key: team, operator: In, values: ["\${var.name}"]}
            - {key: team, operator: In, values: []}
      weight: 0
  YAML
}
`),
  ).toStrictEqual(['error karpenter-node-pool main.tf:14', 'error karpenter-node-pool main.tf:15']);
});

it('a field that the API does not have: a warning where what applies it leaves that to the API server', () => {
  const pool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      kubelet: {maxPods: 20}
      ${REST}
      requirements: [{key: team, operator: Exists}]
`;
  const lenient = `resource "kubectl_manifest" "pool" {\n  yaml_body = <<-YAML\n${pool}YAML\n}\n`;
  const strict = `resource "kubernetes_manifest" "pool" {\n  manifest = yamldecode(<<-YAML\n${pool}YAML\n  )\n}\n`;
  expect(linesOf(lenient)).toStrictEqual(['warning karpenter-node-pool main.tf:9']);
  expect(linesOf(strict)).toStrictEqual(['error karpenter-node-pool main.tf:2']);
  // What the API server refuses by its schema it refuses from everyone.
  expect(linesOf(lenient.replace('operator: Exists', 'operator: Is'))).toContain(
    'error karpenter-node-pool main.tf:11',
  );
});

it('an object of HCL: the line of its attribute', () => {
  expect(
    linesOf(`resource "kubernetes_manifest" "pool" {
  manifest = {
    apiVersion = "karpenter.sh/v1"
    kind       = "NodePool"
    metadata   = { name = "default" }
    spec = {
      template = {
        spec = {
          nodeClassRef = { group = "karpenter.k8s.aws", kind = "EC2NodeClass", name = "default" }
          requirements = [
            { key = "team", operator = "Exists" },
            { key = "team", operator = "In", values = [] },
          ]
        }
      }
      disruption = {
        consolidationPolicy = "WhenUnderutilized"
        consolidateAfter    = "1m"
      }
    }
  }
}
`),
  ).toStrictEqual(['error karpenter-node-pool main.tf:12', 'error karpenter-node-pool main.tf:17']);
});

it('a text that a function makes: where it is made', () => {
  expect(
    linesOf(`resource "kubectl_manifest" "pool" {
  yaml_body = yamlencode({
    apiVersion = "karpenter.sh/v1"
    kind       = "NodePool"
    metadata   = { name = "default" }
    spec       = { weight = 0 }
  })
}
`),
  ).toStrictEqual(['error karpenter-node-pool main.tf:2']);
});
