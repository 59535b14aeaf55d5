/** Building blocks of the CloudFormation vectors about node groups, so that a vector shows only what it is about. */

/** A template of resources, each given as a block that starts with its logical id. */
export function resources(...blocks: readonly string[]): string {
  return ['Resources:', ...blocks.map((block) => indent(block, 2))].join('\n') + '\n';
}

/** A template with parameters or conditions before its resources. */
export function template(head: string, ...blocks: readonly string[]): string {
  return `${head.trim()}\n${resources(...blocks)}`;
}

export const CLUSTER = cluster("Version: '1.33'");

export function cluster(...properties: readonly string[]): string {
  return block('Cluster', 'AWS::EKS::Cluster', ['RoleArn: arn:aws:iam::111122223333:role/cluster', ...properties]);
}

/** A managed node group of the cluster, with the comment `# workers` at its Properties. */
export function nodeGroup(...properties: readonly string[]): string {
  return namedNodeGroup('Workers', ...properties);
}

export function namedNodeGroup(id: string, ...properties: readonly string[]): string {
  return block(id, 'AWS::EKS::Nodegroup', [
    'ClusterName: !Ref Cluster',
    'NodeRole: arn:aws:iam::111122223333:role/nodes',
    ...properties,
  ]);
}

/** Makes a node group use the launch template `Nodes`, at its latest version. */
export const USES_NODES = 'LaunchTemplate:\n  Id: !Ref Nodes\n  Version: !GetAtt Nodes.LatestVersionNumber';

/** The launch template `Nodes` with the given data. */
export function launchTemplate(...data: readonly string[]): string {
  const content =
    data.length === 0 ? ['LaunchTemplateData: {}'] : ['LaunchTemplateData:', ...data.map((line) => indent(line, 2))];
  return block('Nodes', 'AWS::EC2::LaunchTemplate', content);
}

/** The launch template `Nodes` with the given metadata options. */
export function metadataOptions(...options: readonly string[]): string {
  return launchTemplate('MetadataOptions:', ...options.map((line) => indent(line, 2)));
}

/** The launch template `Nodes` with an AMI that CloudFormation looks up by the path of an SSM parameter, and what makes metadata rules silent. */
export function lookedUpImage(path: string, ...data: readonly string[]): string {
  return launchTemplate(
    `ImageId: '{{resolve:ssm:${path}}}'`,
    'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
    ...data,
  );
}

/** The Auto Scaling group `Group` of self-managed nodes of the cluster `main`, with the launch template `Nodes`. */
export const SELF_MANAGED = block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
  "MinSize: '1'",
  "MaxSize: '2'",
  "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
  'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
]);

/** A Helm chart of the cluster, as CDK renders it. */
export function helmChart(id: string, chart: string, values: object): string {
  return block(id, 'Custom::AWSCDK-EKS-HelmChart', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    `Chart: ${chart}`,
    `Release: ${id.toLowerCase()}`,
    'Namespace: kube-system',
    `Values: '${JSON.stringify(values)}'`,
  ]);
}

/** A Kubernetes object of the cluster, as CDK renders it. */
export function manifest(id: string, object: object): string {
  return block(id, 'Custom::AWSCDK-EKS-KubernetesResource', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    `Manifest: '${JSON.stringify([object])}'`,
  ]);
}

export function addon(id: string, ...properties: readonly string[]): string {
  return block(id, 'AWS::EKS::Addon', ['ClusterName: !Ref Cluster', ...properties]);
}

export function block(id: string, type: string, properties: readonly string[]): string {
  return [
    `${id}:`,
    `  Type: ${type}`,
    `  Properties: # ${id.toLowerCase()}`,
    ...properties.map((line) => indent(line, 4)),
  ].join('\n');
}

/** The block of a resource that is created under a condition only. */
export function onCondition(condition: string, resource: string): string {
  return resource.replace('\n', `\n  Condition: ${condition}\n`);
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
