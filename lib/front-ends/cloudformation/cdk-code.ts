import type { Document, Node, Pair } from 'yaml';
import { Cursor, isMap, member } from '../../cloudformation/cursor';
import type { NodeGroup } from '../../eks';
import type { ClusterPlace, Resource } from '../../value';
import { yaml } from '../../text/lazy-parsers';
import { isManifest, isOfTemplate } from './template-code';
import { withWritten } from './written-settings';

/*
 * Code of the AWS CDK as the construct takes it. Fixes are written for the L2 constructs; an L1 takes what the template has, by names that begin with
 * small letters, and has no `defaultChild`. The group that a cluster makes by itself takes no options at all.
 * Source: AWS CDK developer guide, "Customize constructs from the AWS Construct Library"; aws-cdk-lib, aws-eks, ClusterProps.
 */

/** The L1 constructs of the resources whose L2 calls its own `Resource`, and of those that have no L2. */
const L1_OF: Readonly<Record<string, string>> = {
  'AWS::AutoScaling::LaunchConfiguration': 'CfnLaunchConfiguration',
  'AWS::EC2::LaunchTemplate': 'CfnLaunchTemplate',
  'AWS::EKS::Addon': 'CfnAddon',
  'AWS::EKS::Cluster': 'CfnCluster',
  'AWS::EKS::Nodegroup': 'CfnNodegroup',
  'AWS::EKS::PodIdentityAssociation': 'CfnPodIdentityAssociation',
  'AWS::IAM::Role': 'CfnRole',
};

/** Whether a resource is an L1 construct of the app's own: one within an L2 is called `Resource`, or `Default`, and `LaunchConfig` in a group. */
export function isL1({ type, path }: Resource): boolean {
  return L1_OF[type] !== undefined && path !== undefined && !/\/(?:Resource|Default|LaunchConfig)$/.test(path);
}

/** Whether it is the node group that the construct of a cluster makes for its `defaultCapacity`. */
function isDefaultCapacity({ type, path }: Resource): boolean {
  return type === 'AWS::EKS::Nodegroup' && path?.endsWith('/NodegroupDefaultCapacity/Resource') === true;
}

/**
 * @param inTemplate the code of the same fix for a template, if it has one
 * @param place of the cluster that the code may refer to
 * @returns undefined where somebody who pastes it would lose something: then words alone say what to do
 */
export function codeInCdk(
  code: string,
  inTemplate: () => string | undefined,
  resource: Resource,
  place: () => ClusterPlace,
): string | undefined {
  const template = inTemplate();
  if (resource.type === 'AWS::IAM::Role' && isL1(resource)) return codeOfL1Role(code, template, resource);
  // It has what is there, in another form.
  if (code.endsWith('\nuserData, // in place of what it has')) {
    const whole = isL1(resource) ? constructsOfL1(code) : code;
    return whole === undefined ? undefined : besideCluster(whole, place);
  }
  // Text for nodes goes into what the app has there, whatever makes it.
  if (template !== undefined && !isOfTemplate(template) && !isManifest(resource)) return undefined;
  const written = template === undefined ? undefined : withWritten(template, resource);
  if (template !== undefined && written === undefined) return undefined;
  const placed = isL1(resource)
    ? codeOfL1(code, written, L1_OF[resource.type] ?? '')
    : isDefaultCapacity(resource)
      ? codeOfDefaultCapacity(code, written, resource)
      : codeOfL2(code, written, resource);
  return placed === undefined ? undefined : besideCluster(besideTemplate(placed, resource), place);
}

/** An L1 role has lists where the L2 has methods, and a document where it has a principal. */
function codeOfL1Role(code: string, inTemplate: string | undefined, resource: Resource): string | undefined {
  if (/^assumedBy: /m.test(code)) {
    const written = inTemplate === undefined ? undefined : withWritten(inTemplate, resource);
    return propertiesOf(written) === undefined ? undefined : codeOfL1(code, written, 'CfnRole');
  }
  const changed = code
    .replace('where `role` is the Role', 'where `role` is the CfnRole')
    .replaceAll(
      /^(?:cluster\.)?role\.addManagedPolicy\((.*)\);$/gm,
      'role.managedPolicyArns = [...(role.managedPolicyArns ?? []), $1.managedPolicyArn];',
    )
    .replaceAll(
      /^role\.addToPrincipalPolicy\((new iam\.PolicyStatement\([^]*?^\}\))\);$/gm,
      (_, statement: string) =>
        `new iam.CfnRolePolicy(this, 'RolePolicy', { roleName: role.ref, policyName: 'eks', policyDocument: new iam.PolicyDocument({ statements: [${statement}] }) });`,
    );
  if (/\brole\.add|^\w+: /m.test(changed)) return undefined;
  return /^\/\/ where `role`/m.test(changed)
    ? changed
    : `// where \`role\` is the CfnRole that the finding names:\n${changed}`;
}

/** Of an L1 cluster, other names have what code of the L2 calls `cluster.…`; undefined where it asks for more than the L1 has. */
function besideCluster(code: string, place: () => ClusterPlace): string | undefined {
  if (!/\bcluster[.,\s]/.test(code)) return code;
  const { cluster } = place();
  if (cluster === undefined || !isL1(cluster)) return code;
  const fitting = OF_L1_CLUSTER.reduce((text, [from, to]) => text.replaceAll(from, to), code);
  return /\{ cluster\b|\bcluster\.(?!ref\b|attr[A-Z]|node\b)/.test(fitting) ? undefined : fitting;
}

const OF_L1_CLUSTER: readonly (readonly [RegExp, string])[] = [
  [/\bcluster\.clusterName\b/g, 'cluster.ref'],
  [/\bcluster\.clusterEndpoint\b/g, 'cluster.attrEndpoint'],
  [/\bcluster\.clusterCertificateAuthorityData\b/g, 'cluster.attrCertificateAuthorityData'],
  [
    /\bcluster\.clusterSecurityGroup\b/g,
    "ec2.SecurityGroup.fromSecurityGroupId(this, 'ClusterSecurityGroup', cluster.attrClusterSecurityGroupId)",
  ],
  [/^cluster\.role\./gm, '// where `role` is the Role that the finding names:\nrole.'],
  [/\bnew eks\.Addon\(this, ('\w+'), \{ cluster, /g, 'new eks.CfnAddon(this, $1, { clusterName: cluster.ref, '],
];

/** Of an L1 launch template, code of the L2 has other names, too. */
function besideTemplate(code: string, resource: Resource): string {
  if (!isNodeGroup(resource)) return code;
  const { launchTemplate } = resource;
  const template = launchTemplate.kind === 'known' ? launchTemplate.value.template.target : undefined;
  if (template === undefined || !isL1(template)) return code;
  return code
    .replace('`template` is its LaunchTemplate', '`template` is its CfnLaunchTemplate')
    .replace('template.launchTemplateId!', 'template.ref')
    .replace('template.latestVersionNumber', 'template.attrLatestVersionNumber')
    .replace(
      /^\/\/ in the options of the LaunchTemplate:\nblockDevices: \[\{ (deviceName: '[^']*'), volume: [\w.]+\((\w+), .*$/m,
      "// in launchTemplateData of the CfnLaunchTemplate:\nblockDeviceMappings: [{ $1, ebs: { volumeSize: $2, volumeType: 'gp3', encrypted: true } }],",
    );
}

function isNodeGroup(resource: Resource): resource is NodeGroup {
  return 'kind' in resource && resource.kind === 'node-group';
}

function codeOfL1(code: string, inTemplate: string | undefined, name: string): string | undefined {
  const properties = inTemplate !== undefined && HEADING.test(inTemplate) ? undefined : propertiesOf(inTemplate);
  if (properties === undefined) return constructsOfL1(code, inTemplate);
  // One volume is an item of the list of them.
  const isVolume = properties.some(([key]) => key === 'deviceName');
  const place =
    name !== 'CfnLaunchTemplate' ? 'the properties' : isVolume ? 'blockDeviceMappings' : 'launchTemplateData';
  return [
    `// in ${place} of the ${name}:`,
    ...properties.map(([key, value, remark]) => `${key}: ${value},${remark === '' ? '' : ` //${remark}`}`),
  ].join('\n');
}

/** Says where the lines below it go. */
const HEADING = /^# .*:$/m;

/** Code for L2 constructs as an app with L1 groups has it. */
function constructsOfL1(code: string, inTemplate = ''): string | undefined {
  // Options of an L2 mean nothing to an L1.
  if (OPTIONS.test(code)) return undefined;
  const amiType = /^AmiType: (\w+)/m.exec(inTemplate)?.[1];
  return code
    .replace('// in the options of a group that', '// in the properties of a CfnNodegroup that')
    .replace('// in the options of the node group', '// in the properties of the CfnNodegroup')
    .replace(
      '// in the options of the LaunchTemplate:\nuserData,',
      '// in launchTemplateData of the CfnLaunchTemplate, with `Fn` of aws-cdk-lib:\nuserData: Fn.base64(userData.render()),',
    )
    .replace('launchTemplateSpec: {', 'launchTemplate: {')
    .replace('capacityType: eks.CapacityType.SPOT', "capacityType: 'SPOT'")
    .replace(/^amiType: .*$/m, (line) => (amiType === undefined ? line : `amiType: '${amiType}',`));
}

/** What constructs of the CDK are called that take options, by what they make. */
const L2_OF: Readonly<Record<string, string>> = {
  'AWS::EC2::LaunchTemplate': 'LaunchTemplate',
  'AWS::EKS::Addon': 'Addon',
  'AWS::EKS::AccessEntry': 'AccessEntry',
  'AWS::EKS::Cluster': 'Cluster',
  'AWS::EKS::Nodegroup': 'node group',
  'AWS::IAM::Role': 'Role',
  'Custom::AWSCDK-EKS-Cluster': 'Cluster',
  'Custom::AWSCDK-EKS-HelmChart': 'HelmChart',
};

/** Options, without a word of what takes them. */
const OPTIONS = /^\w+: /;

/** Options say where they go; the finding names the construct. */
function codeOfL2(given: string, inTemplate: string | undefined, resource: Resource): string | undefined {
  const code = withConfiguration(given, inTemplate);
  if (!OPTIONS.test(code)) return code;
  if (resource.type === 'AWS::AutoScaling::LaunchConfiguration') return codeOfLaunchConfiguration(inTemplate);
  const name = L2_OF[resource.type];
  if (name === undefined) return isManifest(resource) ? `// in the manifest:\n${code}` : code;
  return `// in the options of the ${name}:\n${code}`;
}

/** Code for another construct than the one of the finding: the line above it says which. */
export function codeInConstruct(code: string, { id, path = id }: Resource): string {
  const [heading, place = ''] = /^\/\/ (in the (?:options|properties) of the [\w ]+):\n/.exec(code) ?? [];
  return heading === undefined ? `// in ${path}:\n${code}` : `// ${place} ${path}:\n${code.slice(heading.length)}`;
}

/** What an AutoScalingGroup has no options for. Source: aws-cdk-lib, aws-autoscaling, AutoScalingGroup. */
function codeOfLaunchConfiguration(inTemplate: string | undefined): string | undefined {
  const properties = propertiesOf(inTemplate);
  return properties === undefined
    ? undefined
    : [
        '// where `group` is the AutoScalingGroup that the finding names:',
        ...properties.map(
          ([key, value]) =>
            `(group.node.findChild('LaunchConfig') as autoscaling.CfnLaunchConfiguration).${key} = ${value};`,
        ),
      ].join('\n');
}

/** The configuration values of an add-on, with those that the user has. */
function withConfiguration(code: string, inTemplate: string | undefined): string {
  const values = configurationIn(inTemplate);
  return values === undefined
    ? code
    : code.replace(/^configurationValues: \{(?:[^\n]*\},|\n[^]*?\n\},)(?: \/\/ [^\n]*)?$/m, () => values);
}

/** The configuration values of an add-on, which the L2 takes as an object. */
function configurationIn(inTemplate: string | undefined): string | undefined {
  const document: Document | undefined =
    inTemplate === undefined ? undefined : yaml().parseDocument(inTemplate, { logLevel: 'silent' });
  const text: unknown = document?.get('ConfigurationValues');
  if (typeof text !== 'string') return undefined;
  const data: Document = yaml().parseDocument(text, { logLevel: 'silent' });
  const value = textOf(data.contents, '', dataName);
  return value === undefined ? undefined : `configurationValues: ${value},`;
}

/** Whether the stack of a resource has a construct of a name already. */
export function hasConstruct(name: string, { source, path = '' }: Resource): boolean {
  if (!(source instanceof Cursor)) return false;
  const [stack = ''] = path.split('/');
  return constructsIn(source.template.section('Resources')?.raw).has(`${stack}/${name}`);
}

/** By the resources of a template: each of its findings asks. */
const constructs = new WeakMap<object, ReadonlySet<string>>();

/** The paths of the constructs right below the stack of a template. */
function constructsIn(resources: unknown): ReadonlySet<string> {
  if (!isMap(resources)) return new Set();
  const known = constructs.get(resources);
  if (known !== undefined) return known;
  const found = new Set(
    Object.values(resources).flatMap((raw) => {
      const path: unknown = member(member(raw, 'Metadata'), 'aws:cdk:path');
      return typeof path === 'string' ? path.split('/').slice(0, 2).join('/') : [];
    }),
  );
  constructs.set(resources, found);
  return found;
}

function codeOfDefaultCapacity(code: string, inTemplate: string | undefined, group: Resource): string {
  const elsewhere = '// in the options of a group that ';
  if (code.includes(elsewhere)) {
    const [before = '', options = ''] = code.split(new RegExp(`${elsewhere}.*:\\n`));
    return [
      "// in the options of the cluster, whose own group takes none; the code below stands in that group's place:",
      'defaultCapacity: 0,',
      '// behind the cluster:',
      `${before}cluster.addNodegroupCapacity('Workers', {`,
      ...optionsOfDefaultCapacity(group)
        .filter((line) => !new RegExp(`^${line.split(':', 1)[0] ?? ''}: `, 'm').test(options))
        .map((line) => `  ${line}`),
      ...options.split('\n').map((line) => `  ${line}`),
      '});',
    ].join('\n');
  }
  const properties = propertiesOf(inTemplate);
  if (properties === undefined) return code;
  return [
    "// a cluster's own group takes no options; or `defaultCapacity: 0`, and `cluster.addNodegroupCapacity(…)` with them",
    ...properties.map(
      ([key, value]) => `(cluster.defaultNodegroup!.node.defaultChild as eks.CfnNodegroup).${key} = ${value};`,
    ),
  ].join('\n');
}

/** What the group has of `defaultCapacityInstance` and `defaultCapacity`. */
function optionsOfDefaultCapacity(group: Resource): readonly string[] {
  if (!isNodeGroup(group)) return [];
  const { instanceTypes, minSize, forceUpdate } = group;
  const types =
    instanceTypes.kind === 'known' ? instanceTypes.value.map((type) => (type.kind === 'known' ? type.value : '')) : [];
  return [
    ...(types.length === 0 || types.includes('')
      ? []
      : [`instanceTypes: [${types.map((type) => `new ec2.InstanceType('${type}')`).join(', ')}],`]),
    ...(minSize.kind === 'known' ? [`minSize: ${minSize.value},`] : []),
    // What the construct does unless it is told otherwise, and node-group-force-update finds.
    ...(forceUpdate.kind === 'known' && forceUpdate.value ? ['forceUpdate: false,'] : []),
  ];
}

/** The properties of a resource in code for a template, by their names in the CDK, with what is remarked; undefined if it holds anything else, such as references. */
function propertiesOf(inTemplate: string | undefined): readonly (readonly [string, string, string])[] | undefined {
  if (inTemplate === undefined) return undefined;
  const document: Document = yaml().parseDocument(inTemplate, { logLevel: 'silent' });
  const { contents } = document;
  if (document.errors.length > 0 || !yaml().isMap(contents)) return undefined;
  const texts = contents.items.map((pair) => {
    const { key, value } = pair as Pair<{ value: unknown }, Node | null>;
    const name = String(key.value);
    const remark = value?.comment ?? '';
    const plain = yaml().isScalar(value) && value.commentBefore === undefined ? scalarText(value.value) : undefined;
    const nameIn = name.endsWith('PolicyDocument') ? dataName : nameText;
    const text = !/^[A-Z]\w*$/.test(name) ? undefined : remark === '' ? textOf(value, '', nameIn) : plain;
    return text === undefined ? undefined : ([smallFirst(name), text, remark] as const);
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function textOf(node: Node | null, indent: string, name = nameText): string | undefined {
  const { isMap: isYamlMap, isScalar, isSeq } = yaml();
  if (node === null || hasComment(node) || /^![A-Z]/.test(node.tag ?? '')) return undefined;
  if (isScalar(node)) return scalarText(node.value);
  const inner = `${indent}  `;
  const lines = isSeq(node)
    ? node.items.map((item) => textOf(item as Node, inner, name))
    : isYamlMap(node)
      ? node.items.map((pair) => {
          const { key, value } = pair as Pair<{ value: unknown }, Node | null>;
          const text = textOf(value, inner, name);
          return text === undefined ? undefined : `${name(String(key.value))}: ${text}`;
        })
      : [undefined];
  if (!lines.every((line) => line !== undefined) || lines.some((line) => /^'?Fn::/.test(line))) return undefined;
  const [open, close] = isSeq(node) ? ['[', ']'] : ['{', '}'];
  return [open, ...lines.map((line) => `${inner}${line},`), `${indent}${close}`].join('\n');
}

function hasComment({ comment, commentBefore }: Node): boolean {
  return (comment ?? commentBefore ?? '') !== '';
}

function scalarText(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.trimEnd().replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`).replaceAll('\n', String.raw`\n`)}'`
    : String(value);
}

function nameText(name: string): string {
  if (/^[A-Z]\w*$/.test(name)) return smallFirst(name);
  return /^[a-z]\w*$/i.test(name) ? name : `'${name}'`;
}

/** A key of data, which stays as it is. */
function dataName(name: string): string {
  return /^[a-z]\w*$/i.test(name) ? name : `'${name}'`;
}

function smallFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
