import { advised } from './advised';

/* EKS takes one association for a service account: that of `iam` moves to the add-on, which has no other role then. */

const config = (association: string, addon = '', agent = '  - name: eks-pod-identity-agent\n') => ({
  'cluster.yaml': `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: main
  region: eu-central-1
  version: "1.35"
iam:
  withOIDC: true
  podIdentityAssociations:
    # the driver
    - namespace: kube-system
      serviceAccountName: ebs-csi-controller-sa
${association}
    - namespace: web
      serviceAccountName: shop
      permissionPolicyARNs: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]
addons:
${agent}  - name: aws-ebs-csi-driver
    version: v1.62.0-eksbuild.1
${addon}managedNodeGroups:
  - name: workers
`,
});

const POLICY = '      permissionPolicyARNs:\n        - arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy';
const WELL_KNOWN = '      wellKnownPolicies:\n        ebsCSIController: true';

it.each(['irsa-trust-policy', 'pod-identity-and-irsa'])('as it is written, for %s', (rule) => {
  const [advice] = advised(config(POLICY), rule);
  expect(advice?.finding.fixCode).toMatch(/^# \S+ without lines 11 to 14\n# in the add-on "aws-ebs-csi-driver":\n/);
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
});

it.each(['irsa-trust-policy', 'pod-identity-and-irsa'])(
  'with an ARN in place of what eksctl refuses there, for %s',
  (rule) => {
    const [advice] = advised(config(WELL_KNOWN), rule);
    expect(advice?.finding.fixCode).not.toContain('wellKnownPolicies');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
  },
);

it('in place of the policies of the add-on', () => {
  const [advice] = advised(config(POLICY, '    wellKnownPolicies: { ebsCSIController: true }\n'), 'irsa-trust-policy');
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
});

it('in words where tags or other policies would get lost', () => {
  for (const more of ['      tags: { team: storage }', WELL_KNOWN])
    expect(advised(config(`${POLICY}\n${more}`), 'irsa-trust-policy').map(({ finding }) => finding.fixCode)).toEqual([
      undefined,
    ]);
  const two = `${WELL_KNOWN}\n        externalDNS: true`;
  expect(advised(config(two), 'irsa-trust-policy').map(({ finding }) => finding.fixCode)).toEqual([undefined]);
});
