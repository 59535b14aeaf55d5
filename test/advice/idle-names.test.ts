import { advised } from './advised';

/* What nothing uses any more after a change is named, as are objects that a newer Kubernetes doesn't serve. */

const template = (more = '') => `Parameters:
  NoV1:
    Type: String
    Default: "false"
Conditions:
  IsV1Off: !Equals [!Ref NoV1, "true"]
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions:
          HttpPutResponseHopLimit: 2
          HttpTokens: !If [IsV1Off, required, optional]
  Nodes:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1, subnet-2]
      AmiType: AL2023_x86_64_STANDARD
      LaunchTemplate:
        Id: !Ref Template
        Version: !GetAtt Template.LatestVersionNumber
${more}`;

const codeOf = (text: string): string | undefined =>
  advised({ 'template.yaml': text }, 'imds-v1').map(({ finding }) => finding.fixCode)[0];

it('condition and parameter of a setting that is decided', () => {
  expect(codeOf(template())).toContain(
    'HttpTokens: required # condition IsV1Off and parameter NoV1 have no use then, and can go',
  );
  expect(codeOf(template('      Labels: { v1: !Sub "${NoV1}" }\n'))).toContain(
    'HttpTokens: required # condition IsV1Off has no use then, and can go',
  );
  expect(codeOf(template('      Labels: { v1: !If [IsV1Off, a, b] }\n'))).not.toContain('no use');
});

it('objects that are written anew before a cluster gets a version', () => {
  const files = (version: string) => ({
    'cluster.yaml': `apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata:\n  name: main\n  region: eu-west-1\n  version: "${version}"\nmanagedNodeGroups:\n  - name: workers\n`,
    'role.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: ClusterRole\nmetadata:\n  name: logs\nrules: []\n',
  });
  const [old] = advised(files('1.21'), 'cluster-version-support');
  expect(old?.finding.fix).toContain(
    'Write ClusterRole "logs" in `rbac.authorization.k8s.io/v1` before: Kubernetes 1.36 no longer serves `rbac.authorization.k8s.io/v1beta1`.',
  );
  // It is a finding already.
  const [newer] = advised(files('1.29'), 'cluster-version-support');
  expect(newer?.finding.fix).not.toContain('ClusterRole');
});
