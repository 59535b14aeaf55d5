import { block, CLUSTER, launchTemplate, manifest, nodeGroup, resources, USES_NODES } from '../node-templates';

/** Building blocks of the CloudFormation vectors about user data, so that a vector shows only what it is about. */

export const OWN_AMI = 'ImageId: ami-0123456789abcdef0';

/** Base64 of the text of a certificate, which is none. */
export const CERTIFICATE = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIBfake\n-----END CERTIFICATE-----\n').toString(
  'base64',
);

/** The property with a text in a block, `Fn::Base64: !Sub |`: `${…}` in the text is filled in by CloudFormation. */
export function userData(text: string): string {
  return [
    'UserData:',
    '  Fn::Base64: !Sub |',
    ...text.split('\n').map((line) => (line === '' ? '' : `    ${line}`)),
  ].join('\n');
}

/** The launch template `Nodes` with a text for user data. */
export function booting(text: string, ...data: readonly string[]): string {
  return launchTemplate(...data, userData(text));
}

/** A MIME document of parts, each made by {@link part}, {@link nodeConfigPart} or {@link shellPart}. */
export function mime(...parts: readonly string[]): string {
  return [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    ...parts.flatMap((one) => ['--//', one]),
    '--//--',
  ].join('\n');
}

export function part(type: string, body: string): string {
  return `Content-Type: ${type}\n\n${body}\n`;
}

/** A MIME part with a NodeConfig of these lines below `spec`. */
export function nodeConfigPart(...spec: readonly string[]): string {
  return part('application/node.eks.aws', nodeConfig(...spec));
}

/** A MIME part with a script of these lines. */
export function shellPart(...lines: readonly string[]): string {
  return part('text/x-shellscript; charset="us-ascii"', ['#!/bin/bash', ...lines].join('\n'));
}

/** A NodeConfig with these lines below `spec`. */
export function nodeConfig(...spec: readonly string[]): string {
  const lines = spec.flatMap((line) => line.split('\n')).map((line) => `  ${line}`);
  return ['apiVersion: node.eks.aws/v1alpha1', 'kind: NodeConfig', 'spec:', ...lines].join('\n');
}

/** The fields of `spec.cluster` that nodeadm demands. */
export const CLUSTER_FIELDS = {
  name: 'name: main',
  endpoint: 'apiServerEndpoint: https://0123.gr7.eu-west-1.eks.amazonaws.com',
  ca: `certificateAuthority: ${CERTIFICATE}`,
  cidr: 'cidr: 172.20.0.0/16',
} as const;

/** The block `cluster`, whole; fields that are given replace those of the same name, and `''` takes one away. */
export function clusterBlock(fields: Partial<Record<keyof typeof CLUSTER_FIELDS, string>> = {}): string {
  const lines = Object.values({ ...CLUSTER_FIELDS, ...fields }).filter((line) => line !== '');
  return ['cluster:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** A template with a managed group whose launch template has an AMI of its own and this user data. */
export function withOwnAmi(text: string, cluster = CLUSTER): string {
  return resources(cluster, nodeGroup(USES_NODES), booting(text, OWN_AMI));
}

/** A template with a managed AL2023 group without an AMI of its own: EKS puts its bootstrap to this user data. */
export function withEksAmi(text: string, cluster = CLUSTER): string {
  return resources(cluster, nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES), booting(text));
}

/** An Auto Scaling group of cluster `main` that uses the launch template `Nodes`. */
export const SELF_MANAGED = block('Workers', 'AWS::AutoScaling::AutoScalingGroup', [
  "MinSize: '1'",
  "MaxSize: '3'",
  'LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }',
  'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
]);

/** Parameter `Stage` and condition `IsProduction`. */
export const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

/** `ImageId` of the public AMIs of each operating system, as an AMI that CloudFormation looks up when it deploys. */
export const IMAGES = {
  AL2: imageId('/aws/service/eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id'),
  AL2023: imageId('/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id'),
  BOTTLEROCKET: imageId('/aws/service/bottlerocket/aws-k8s-1.33/x86_64/latest/image_id'),
  WINDOWS: imageId('/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.33/image_id'),
} as const;

function imageId(path: string): string {
  return `ImageId: '{{resolve:ssm:${path}}}'`;
}

/** A node class of Karpenter whose AMI has an alias, such as `al2023@latest`, with user data, and what else its spec has. */
export function withNodeClass(alias: string, text: string, spec: object = {}): string {
  return resources(
    CLUSTER,
    manifest('NodeClass', {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'default' },
      spec: {
        role: 'nodes',
        amiSelectorTerms: [{ alias }],
        subnetSelectorTerms: [{ tags: { Name: 'private' } }],
        securityGroupSelectorTerms: [{ tags: { Name: 'nodes' } }],
        userData: text,
        ...spec,
      },
    }),
  );
}
