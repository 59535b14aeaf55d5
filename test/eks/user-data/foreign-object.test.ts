import { foreignObjectIn, isHybridNodeConfig } from '../../../lib/eks/user-data/foreign-object';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';

const HEAD = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n';

describe('Kubernetes objects that are no NodeConfig', () => {
  it.each([
    [
      'of Karpenter',
      '# default nodes\napiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nspec:\n  userData: |\n    apiVersion: node.eks.aws/v1alpha1\n    kind: NodeConfig\n',
      'EC2NodeClass',
      'kind: EC2',
    ],
    [
      'of eksctl',
      '---\r\nkind: ClusterConfig # main\r\napiVersion: "eksctl.io/v1alpha5"\r\n',
      'ClusterConfig',
      'kind: Cl',
    ],
    ['in the core group', 'metadata:\n  name: a\napiVersion: v1\nkind: ConfigMap\n', 'ConfigMap', 'kind: Con'],
    ['in JSON', '{\n  "kind": "NodePool",\n  "apiVersion": "karpenter.sh/v1"\n}', 'NodePool', '"kind": '],
    [
      'before a NodeConfig',
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n---\n${HEAD}`,
      'CustomResourceDefinition',
      'kind: Cus',
    ],
  ])('recognizes one %s', (_, text, kind, place) => {
    expect(foreignObjectIn(text)).toMatchObject({ kind, offset: text.indexOf(place) });
  });

  it.each([
    ['a NodeConfig', HEAD],
    ['a NodeConfig before other objects', `${HEAD}---\napiVersion: v1\nkind: ConfigMap\n`],
    ['a NodeConfig of a wrong group', 'apiVersion: eks.amazonaws.com/v1\nkind: NodeConfig\n'],
    ['a NodeConfig with a misspelt kind', 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfiguration\n'],
    ['a NodeConfig in JSON', '{"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig"}'],
    ['a script that writes one', '#!/bin/bash\ncat <<EOF | kubectl apply -f -\napiVersion: v1\nkind: ConfigMap\nEOF\n'],
    ['a script without #! that writes one', 'cat <<EOF > /etc/a.yaml\napiVersion: v1\nkind: ConfigMap\nEOF\n'],
    [
      'a MIME part that writes one',
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/x-shellscript\n\n#!/bin/bash\ncat <<EOF\napiVersion: v1\nkind: Pod\nEOF\n--b--\n',
    ],
    ['cloud-config', '#cloud-config\nkind: Pod\napiVersion: v1\n'],
    ['a chart', 'apiVersion: {{ .Values.version }}\nkind: {{ .Values.kind }}\n'],
    ['broken JSON', '{"kind": "Pod", '],
    ['a list in JSON', '{"kind": {}, "apiVersion": []}'],
    ['nothing', ''],
  ])('leaves %s alone', (_, text) => {
    expect(foreignObjectIn(text)).toBeUndefined();
  });
});

describe('the NodeConfig of a hybrid node', () => {
  const isHybrid = (text: string) => isHybridNodeConfig(readUserData(SourceText.of(text)));

  it.each([
    ['YAML', `${HEAD}spec:\n  cluster: { name: main, region: eu-west-1 }\n  hybrid:\n    iamRolesAnywhere: {}\n`],
    ['JSON', '{"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": {"hybrid": {"ssm": {}}}}'],
  ])('is told by spec.hybrid in %s', (_, text) => {
    expect(isHybrid(text)).toBe(true);
  });

  it.each([
    ['another NodeConfig', `${HEAD}spec:\n  cluster: { name: hybrid }\n`],
    ['a field that is null', `${HEAD}spec:\n  hybrid:\n`],
    ['a NodeConfig without spec', `${HEAD}hybrid: {}\n`],
    [
      'user data with parts',
      `Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: application/node.eks.aws\n\n${HEAD}spec: { hybrid: {} }\n--b--\n`,
    ],
  ])('is no %s', (_, text) => {
    expect(isHybrid(text)).toBe(false);
  });
});
