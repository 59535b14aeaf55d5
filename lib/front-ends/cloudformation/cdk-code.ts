import type { Document, Node, Pair } from 'yaml';
import type { Resource } from '../../value';
import { yaml } from '../../text/lazy-parsers';

/*
 * Code of the AWS CDK as the construct takes it. Fixes are written for the L2 constructs; an L1 takes what the template has, by names that begin with
 * small letters, and has no `defaultChild`. The group that a cluster makes by itself takes no options at all.
 * Source: AWS CDK developer guide, "Customize constructs from the AWS Construct Library"; aws-cdk-lib, aws-eks, ClusterProps.
 */

/** The L1 constructs of the resources whose L2 calls its own `Resource`. */
const L1_OF: Readonly<Record<string, string>> = {
  'AWS::EC2::LaunchTemplate': 'CfnLaunchTemplate',
  'AWS::EKS::Addon': 'CfnAddon',
  'AWS::EKS::Cluster': 'CfnCluster',
  'AWS::EKS::Nodegroup': 'CfnNodegroup',
};

/** Whether a resource is an L1 construct of the app's own: one within an L2 is called `Resource`, or `Default`. */
export function isL1({ type, path }: Resource): boolean {
  return L1_OF[type] !== undefined && path !== undefined && !/\/(?:Resource|Default)$/.test(path);
}

/** Whether it is the node group that the construct of a cluster makes for its `defaultCapacity`. */
function isDefaultCapacity({ type, path }: Resource): boolean {
  return type === 'AWS::EKS::Nodegroup' && path?.endsWith('/NodegroupDefaultCapacity/Resource') === true;
}

/** @param inTemplate the code of the same fix for a template, if it has one */
export function codeInCdk(code: string, inTemplate: () => string | undefined, resource: Resource): string {
  if (isL1(resource)) return codeOfL1(code, inTemplate(), L1_OF[resource.type] ?? '');
  return isDefaultCapacity(resource) ? codeOfDefaultCapacity(code, inTemplate()) : code;
}

function codeOfL1(code: string, inTemplate: string | undefined, name: string): string {
  const properties = propertiesOf(inTemplate);
  if (properties === undefined) return constructsOfL1(code);
  return [`// in the properties of the ${name}:`, ...properties.map(([key, value]) => `${key}: ${value},`)].join('\n');
}

/** Code for L2 constructs as an app with L1 groups has it. */
function constructsOfL1(code: string): string {
  return code
    .replace("cluster.addNodegroupCapacity('Workers', {", "new eks.CfnNodegroup(this, 'Workers', {")
    .replace('launchTemplateSpec: {', 'launchTemplate: {');
}

function codeOfDefaultCapacity(code: string, inTemplate: string | undefined): string {
  if (code.includes('cluster.addNodegroupCapacity('))
    return [
      "// in the properties of the cluster, whose own group takes no options; the code below stands in that group's place:",
      'defaultCapacity: 0,',
      code,
    ].join('\n');
  const properties = propertiesOf(inTemplate);
  if (properties === undefined) return code;
  return [
    "// a cluster's own group takes no options; or `defaultCapacity: 0`, and `cluster.addNodegroupCapacity(…)` with them",
    ...properties.map(
      ([key, value]) => `(cluster.defaultNodegroup!.node.defaultChild as eks.CfnNodegroup).${key} = ${value};`,
    ),
  ].join('\n');
}

/** The properties of a resource in code for a template, by their names in the CDK; undefined if it holds anything else, such as references. */
function propertiesOf(inTemplate: string | undefined): readonly (readonly [string, string])[] | undefined {
  if (inTemplate === undefined) return undefined;
  const document: Document = yaml().parseDocument(inTemplate, { logLevel: 'silent' });
  const { contents } = document;
  if (document.errors.length > 0 || !yaml().isMap(contents)) return undefined;
  const texts = contents.items.map((pair) => {
    const { key, value } = pair as Pair<{ value: unknown }, Node | null>;
    const name = String(key.value);
    const text = /^[A-Z]\w*$/.test(name) ? textOf(value, '') : undefined;
    return text === undefined ? undefined : ([smallFirst(name), text] as const);
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function textOf(node: Node | null, indent: string): string | undefined {
  const { isMap, isScalar, isSeq } = yaml();
  if (node === null || hasComment(node) || /^![A-Z]/.test(node.tag ?? '')) return undefined;
  if (isScalar(node)) return scalarText(node.value);
  const inner = `${indent}  `;
  const lines = isSeq(node)
    ? node.items.map((item) => textOf(item as Node, inner))
    : isMap(node)
      ? node.items.map((pair) => {
          const { key, value } = pair as Pair<{ value: unknown }, Node | null>;
          const text = textOf(value, inner);
          return text === undefined ? undefined : `${nameText(String(key.value))}: ${text}`;
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

function smallFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
