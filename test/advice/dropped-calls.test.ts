import { advised } from './advised';

/* A call of bootstrap.sh beside a bootstrap that comes anyway: what says nothing of its own can go as the advice says. */

const CLASS = (family: string, script: string): string => `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  role: nodes
  amiFamily: ${family}
  amiSelectorTerms:
    - id: ami-0123456789abcdef0
  subnetSelectorTerms:
    - tags: { a: b }
  securityGroupSelectorTerms:
    - tags: { a: b }
  metadataOptions: { httpTokens: required, httpPutResponseHopLimit: 2 }
  userData: |
    #!/bin/bash
    ${script}
    yum install -y amazon-ssm-agent
`;

describe.each([
  ['AL2', 'node-user-data-duplicate-bootstrap'],
  ['AL2023', 'user-data-ami-family'],
])('in an EC2NodeClass with %s', (family, rule) => {
  it.each(['/etc/eks/bootstrap.sh main', '/etc/eks/bootstrap.sh main --b64-cluster-ca Y2VydA=='])(
    'goes: %s',
    (call) => {
      const [advice] = advised({ 'class.yaml': CLASS(family, call) }, rule);
      expect(advice?.finding.fixCode).toMatch(/^# \S+ without line 17$/);
      expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    },
  );

  it.each([
    "/etc/eks/bootstrap.sh main --kubelet-extra-args '--max-pods=20'",
    '/etc/eks/bootstrap.sh main --use-max-pods false',
  ])('is told in words: %s', (call) => {
    const [advice] = advised({ 'class.yaml': CLASS(family, call) }, rule);
    expect([advice?.outcome, advice?.why]).toEqual(['prose', undefined]);
  });
});
