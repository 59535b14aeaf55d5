import { advised } from './advised';

/* Roles of add-ons in ClusterConfigs of eksctl, which knows the service account of vpc-cni alone. */

const config = (settings: string, addons: string) => ({
  'cluster.yaml': `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: main
  region: eu-central-1
  version: "1.35"
${settings}addons:
${addons}managedNodeGroups:
  - name: workers
`,
});

const OIDC = 'iam:\n  withOIDC: true\n';

const addon = (name: string, grant: string): string => `  - name: ${name}\n    ${grant}\n`;

const ARNS = (...names: readonly string[]): string =>
  `attachPolicyARNs: [${names.map((name) => `"arn:aws:iam::aws:policy/${name}"`).join(', ')}]`;

describe('a role that goes nowhere, because the cluster gets no OIDC provider', () => {
  const codeOf = (addons: string, settings = ''): string => {
    const [advice] = advised(config(settings, addons), 'eksctl-ignored-key');
    if (advice?.finding.fixCode !== undefined) expect([advice.outcome, advice.why]).toEqual(['works', undefined]);
    return advice?.finding.fixCode ?? '';
  };

  it.each([
    ['aws-ebs-csi-driver', 'service-role/AmazonEBSCSIDriverPolicy', 'kube-system', 'ebs-csi-controller-sa'],
    ['aws-mountpoint-s3-csi-driver', 'AmazonS3FullAccess', 'kube-system', 's3-csi-driver-sa'],
    ['amazon-cloudwatch-observability', 'CloudWatchAgentServerPolicy', 'amazon-cloudwatch', 'cloudwatch-agent'],
  ])('comes by Pod Identity to %s', (name, policy, namespace, account) => {
    const code = codeOf(addon(name, ARNS(policy)));
    expect(code).toContain(`  - namespace: ${namespace}\n    serviceAccountName: ${account}\n`);
    expect(code).toMatch(/\n- name: eks-pod-identity-agent$/);
  });

  it('comes by the default of eksctl where that is what is asked for', () => {
    const agent = '  - name: eks-pod-identity-agent\n';
    expect(codeOf(agent + addon('aws-efs-csi-driver', 'wellKnownPolicies: { efsCSIController: true }'))).toBe(
      '# in the add-on "aws-efs-csi-driver", without wellKnownPolicies:\nuseDefaultPodIdentityAssociations: true',
    );
  });

  it('comes to vpc-cni by the provider, for which eksctl limits it to its pods', () => {
    expect(codeOf(addon('vpc-cni', ARNS('AmazonEKS_CNI_Policy')))).toBe('# in the file:\niam:\n  withOIDC: true');
  });

  it.each([
    ['whose service account nobody knows', addon('adot', ARNS('AmazonS3ReadOnlyAccess')), ''],
    [
      'with more than one set of policies',
      addon('aws-ebs-csi-driver', 'wellKnownPolicies: { ebsCSIController: true, certManager: true }'),
      '',
    ],
    ['with a document', addon('aws-ebs-csi-driver', 'attachPolicy: { Statement: [] }'), ''],
    [
      'beside the vpc-cni of an IPv6 cluster, which would need one, too',
      `  - name: vpc-cni\n${addon('aws-ebs-csi-driver', ARNS('service-role/AmazonEBSCSIDriverPolicy'))}`,
      'kubernetesNetworkConfig: { ipFamily: IPv6 }\n',
    ],
  ])('is told in words of an add-on %s', (_, addons, settings) => {
    expect(codeOf(addons, settings)).toBe('');
  });
});

describe('a role that every pod may take', () => {
  it.each([
    ['aws-fsx-csi-driver', 'AmazonFSxFullAccess', 'kube-system', 'fsx-csi-controller-sa'],
    ['cert-manager', 'AmazonRoute53ReadOnlyAccess', 'cert-manager', 'cert-manager'],
  ])('is one of the pods of %s alone', (name, policy, namespace, account) => {
    const [advice] = advised(config(OIDC, addon(name, ARNS(policy))), 'irsa-trust-policy');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    expect(advice?.finding.fixCode).toContain(`  - namespace: ${namespace}\n    serviceAccountName: ${account}\n`);
  });

  it('is told in words where the service account of an add-on is not known', () => {
    for (const name of ['adot', 'aws-guardduty-agent']) {
      const [advice] = advised(config(OIDC, addon(name, ARNS('AmazonS3ReadOnlyAccess'))), 'irsa-trust-policy');
      expect(advice?.outcome).toBe('prose');
    }
  });
});
