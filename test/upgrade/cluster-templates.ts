/** What a plan must say, written by hand from the sources before any output was looked at. */
export interface ExpectedTask {
  /** The version of the step, or `before` for what precedes the first one. */
  readonly step: string;
  readonly phase: 'before' | 'control-plane' | 'add-ons' | 'nodes';
  readonly level: 'must' | 'should' | 'note';
  readonly says: RegExp;
  /** What it tells to do, with the code. */
  readonly does?: RegExp;
  /** Text of the line at which it points. */
  readonly at?: string;
}

export interface KnownCluster {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly to: string;
  readonly from?: string;
  readonly asOf: string;
  /** Of what must be done, a plan may say nothing else. */
  readonly tasks: readonly ExpectedTask[];
  /** What it says of staying, one for each sentence. */
  readonly staying?: readonly RegExp[];
  /** What it says that it can't see. */
  readonly unseen: readonly RegExp[];
  /** What it must not say. */
  readonly never?: readonly RegExp[];
}

export function controlPlane(from: string, to: string, more: Partial<ExpectedTask> = {}): ExpectedTask {
  return {
    step: to,
    phase: 'control-plane',
    level: 'must',
    says: new RegExp(`control plane.* from ${from} to ${to}`),
    ...more,
  };
}

/** EKS puts its own kube-proxy, CoreDNS and CNI into a cluster, and the input makes none of these an add-on. */
export const selfManaged: ExpectedTask = {
  step: 'before',
  phase: 'before',
  level: 'should',
  says: /Nothing in the input makes kube-proxy, CoreDNS and the VPC CNI add-ons of EKS/,
  does: /OVERWRITE[^]*create-addon .* --addon-name kube-proxy --addon-version v1\./,
};

/** The same of a version that EKS no longer supports: what it still has for it, only EKS knows, so that they come with the first step. */
export const selfManagedOfOld: ExpectedTask = {
  ...selfManaged,
  does: /once the control plane has (1\.\d\d), run this \(EKS's defaults for \1 [^]*--addon-name kube-proxy --addon-version v\1\./,
};

/** kube-proxy must not be newer than the control plane, so it follows it in each step. */
export function selfManagedIn(step: string): ExpectedTask {
  return {
    step,
    phase: 'add-ons',
    level: 'should',
    says: /kube-proxy.*not be newer than the control plane, nor more than three/,
    does: new RegExp(`set image daemonset/kube-proxy kube-proxy=\\S+:v${step.replace('.', '\\.')}\\.\\d+-minimal-`),
  };
}

/** A CloudFormation template: a cluster called `Cluster` and whatever goes with it. */
export function template(version: string, properties: readonly string[], ...resources: readonly string[]): string {
  return [
    'Resources:',
    '  Cluster:',
    '    Type: AWS::EKS::Cluster',
    '    Properties:',
    `      Version: '${version}'`,
    '      RoleArn: arn:aws:iam::111122223333:role/cluster',
    '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
    ...properties.map((line) => `      ${line}`),
    ...resources,
    '',
  ].join('\n');
}

/** An add-on of that cluster. */
export function addon(id: string, name: string, ...properties: readonly string[]): string {
  return resource(id, 'AWS::EKS::Addon', 'ClusterName: !Ref Cluster', `AddonName: ${name}`, ...properties);
}

/** A managed node group of that cluster. */
export function nodeGroup(id: string, ...properties: readonly string[]): string {
  return resource(
    id,
    'AWS::EKS::Nodegroup',
    'ClusterName: !Ref Cluster',
    'NodeRole: arn:aws:iam::111122223333:role/nodes',
    'Subnets: [subnet-1, subnet-2]',
    ...properties,
  );
}

/** A launch template that asks for IMDSv2 and lets pods reach it, and the property of a group that uses it. */
export function launchTemplate(id: string, ...data: readonly string[]): string {
  return resource(
    id,
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData:',
    '  MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
    ...data.map((line) => `  ${line}`),
  );
}

export const LATEST = 'LaunchTemplate: { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }';

export function resource(id: string, type: string, ...properties: readonly string[]): string {
  return [`  ${id}:`, `    Type: ${type}`, '    Properties:', ...properties.map((line) => `      ${line}`)].join('\n');
}
