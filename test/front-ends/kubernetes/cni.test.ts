import { checkFiles, clusterTemplate } from './manifests';

/** A self-managed VPC CNI with variables of its two containers. */
function awsNode(env: Readonly<Record<string, string>>, init: Readonly<Record<string, string>> = {}): string {
  const variables = (map: Readonly<Record<string, string>>) =>
    JSON.stringify(Object.entries(map).map(([name, value]) => ({ name, value })));
  return `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: aws-node, namespace: kube-system}
spec:
  selector: {matchLabels: {k8s-app: aws-node}}
  template:
    metadata: {labels: {k8s-app: aws-node}}
    spec:
      containers:
        - name: aws-node
          image: 602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon-k8s-cni:v1.20.4
          env: ${variables(env)}
      initContainers:
        - name: aws-vpc-cni-init
          image: 602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon-k8s-cni-init:v1.20.4
          env: ${variables(init)}
`;
}

const POLICY = `apiVersion: vpcresources.k8s.aws/v1beta1
kind: SecurityGroupPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  securityGroups: {groupIds: [sg-1]}
`;

const PROBED = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: web, livenessProbe: {httpGet: {port: 80}}}]
`;

const failuresOf = (rule: string, files: Readonly<Record<string, string>>) =>
  checkFiles(files).failures.filter((one) => one.includes(` ${rule} `));

describe('a self-managed VPC CNI', () => {
  it('is judged by the variables of its containers', () => {
    const { result, failures } = checkFiles({ 'cni.yaml': awsNode({ ENABLE_POD_ENI: 'yes' }) });
    expect(failures).toEqual(['warning vpc-cni-env-values cni.yaml:1']);
    expect(result.findings[0]?.message).toMatch(/^DaemonSet aws-node sets env\.ENABLE_POD_ENI to "yes"/);
  });

  it('has the defaults of the program, which starts no prefix delegation without a warm target', () => {
    const without = { ENABLE_PREFIX_DELEGATION: 'true' };
    expect(failuresOf('prefix-delegation-warm-targets', { 'cni.yaml': awsNode(without) })).toEqual([
      'error prefix-delegation-warm-targets cni.yaml:1',
    ]);
    expect(
      failuresOf('prefix-delegation-warm-targets', { 'cni.yaml': awsNode({ ...without, WARM_PREFIX_TARGET: '1' }) }),
    ).toEqual([]);
  });

  it('gives pods their own security groups only where it is told to, and lets probes through', () => {
    const files = { 'policy.yaml': POLICY, 'web.yaml': PROBED };
    expect(failuresOf('security-group-policy', { ...files, 'cni.yaml': awsNode({}) })).toEqual([
      'warning security-group-policy cni.yaml:1',
    ]);
    const on = awsNode({ ENABLE_POD_ENI: 'true' });
    expect(failuresOf('security-group-policy', { ...files, 'cni.yaml': on })).toEqual([]);
    expect(failuresOf('vpc-cni-tcp-early-demux', { ...files, 'cni.yaml': on })).toEqual([
      'error vpc-cni-tcp-early-demux cni.yaml:1',
    ]);
    expect(
      failuresOf('vpc-cni-tcp-early-demux', {
        ...files,
        'cni.yaml': awsNode({ ENABLE_POD_ENI: 'true' }, { DISABLE_TCP_EARLY_DEMUX: 'true' }),
      }),
    ).toEqual([]);
  });

  it('has fixes in its own words', () => {
    const { result } = checkFiles({ 'cni.yaml': awsNode({ ENABLE_PREFIX_DELEGATION: 'true' }) });
    const finding = result.findings.find(({ rule }) => rule === 'prefix-delegation-warm-targets');
    expect(finding?.fixCode).toBe(
      [
        'containers:',
        '  - name: aws-node',
        '    env:',
        '      - name: ENABLE_PREFIX_DELEGATION',
        '        value: "true"',
        '      - name: WARM_PREFIX_TARGET',
        '        value: "1"',
      ].join('\n'),
    );
  });

  it('is no CNI but a change of one beside the add-on, and where it has no container', () => {
    const template = JSON.parse(clusterTemplate()) as { Resources: Record<string, unknown> };
    template.Resources['Cni'] = {
      Type: 'AWS::EKS::Addon',
      Properties: { ClusterName: { Ref: 'Cluster' }, AddonName: 'vpc-cni' },
    };
    const change = awsNode({ ENABLE_PREFIX_DELEGATION: 'true' });
    expect(
      failuresOf('prefix-delegation-warm-targets', { 'eks.json': JSON.stringify(template), 'cni.yaml': change }),
    ).toEqual([]);
    expect(
      failuresOf('prefix-delegation-warm-targets', { 'cni.yaml': change.replaceAll(/^ +image: .*\n/gm, '') }),
    ).toEqual([]);
  });

  it('is open where another object gives it variables', () => {
    const text = awsNode({ ENABLE_PREFIX_DELEGATION: 'true' }).replace(
      '          env: [{',
      '          envFrom: [{configMapRef: {name: a}}]\n          env: [{',
    );
    const { failures, unverifiable } = checkFiles({ 'cni.yaml': text });
    expect(failures).toEqual([]);
    expect(unverifiable).toContain('prefix-delegation-warm-targets');
  });
});

describe('ENIConfigs', () => {
  const config = (name: string) =>
    `apiVersion: crd.k8s.amazonaws.com/v1alpha1\nkind: ENIConfig\nmetadata: {name: ${name}}\nspec: {subnet: subnet-1}\n`;

  it('are judged by what can be no zone where nothing else is known', () => {
    expect(
      failuresOf('custom-networking-eni-config', {
        'a.yaml': config('ap-noratheast-2a'),
        'b.yaml': config('us-east-1a'),
      }),
    ).toEqual(['error custom-networking-eni-config a.yaml:3']);
  });

  it('are judged by the region of a cluster, and the label that the DaemonSet of the CNI looks for', () => {
    const cni = awsNode({
      AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true',
      ENI_CONFIG_LABEL_DEF: 'topology.kubernetes.io/zone',
    });
    expect(failuresOf('custom-networking-eni-config', { 'cni.yaml': cni, 'a.yaml': config('pods') })).toEqual([
      'error custom-networking-eni-config a.yaml:3',
    ]);
  });
});
