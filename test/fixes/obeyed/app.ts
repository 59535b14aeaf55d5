import type { Finding } from '../../../lib/engine';
import type { DefectiveApp } from './apps';

/* An app of the AWS CDK, and what becomes of it in the hands of somebody who takes the code of a fix literally. */

export interface Source {
  readonly imports: readonly string[];
  readonly code: string;
}

export function textOf({ imports, code }: Source, library: 'v1' | 'v2'): string {
  return [
    "import { Aws, CfnJson, Fn, Stack, aws_autoscaling as autoscaling, aws_ec2 as ec2, aws_iam as iam, aws_lambda as lambda } from 'aws-cdk-lib';",
    `import * as eks from 'aws-cdk-lib/${library === 'v1' ? 'aws-eks' : 'aws-eks-v2'}';`,
    "import type { Construct } from 'constructs';",
    ...imports,
    'void [Aws, CfnJson, Fn, autoscaling, ec2, iam, lambda];',
    'export class UserStack extends Stack {',
    '  constructor(scope: Construct, id: string, props: object) {',
    '    super(scope, id, props);',
    '    const stack = this;',
    '    void stack;',
    code.replaceAll(/^(?=.)/gm, '    '),
    '  }',
    '}',
  ].join('\n');
}

export function sourceOf(app: DefectiveApp, library: 'v1' | 'v2'): Source {
  if (app.hasL1Cluster) return sourceWithL1(app);
  const own = app.cluster ?? ['defaultCapacity: 0,'];
  const options = [
    'vpc,',
    'vpcSubnets: [{ subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS }],',
    `version: eks.KubernetesVersion.of('${app.version ?? '1.35'}'),`,
    ...(library === 'v1'
      ? ['kubectlLayer: layer,']
      : [
          ...(own.some((line) => line.startsWith('defaultCapacityType'))
            ? []
            : ['defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,']),
          'kubectlProviderOptions: { kubectlLayer: layer },',
        ]),
    ...own,
    ...(own.some((line) => line.startsWith('defaultCapacity:')) ? [] : ['defaultCapacity: 0,']),
  ];
  return {
    imports: [],
    code: [
      "const layer = lambda.LayerVersion.fromLayerVersionArn(this, 'Kubectl', 'arn:aws:lambda:eu-west-1:123456789012:layer:kubectl:1');",
      "const vpc = ec2.Vpc.fromVpcAttributes(this, 'Vpc', { vpcId: 'vpc-0123456789abcdef0', availabilityZones: ['eu-west-1a', 'eu-west-1b'], privateSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'] });",
      "const cluster = new eks.Cluster(this, 'Cluster', {",
      ...options.map((line) => `  ${line}`),
      '  /*Cluster*/',
      '});',
      'void cluster;',
      app.code,
    ].join('\n'),
  };
}

function sourceWithL1({ before = '', cluster = [], version = '1.35', code }: DefectiveApp): Source {
  const properties = [
    ...(cluster.some((line) => line.startsWith('roleArn'))
      ? []
      : ["roleArn: 'arn:aws:iam::123456789012:role/cluster',"]),
    "resourcesVpcConfig: { subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'] },",
    ...(version === '' ? [] : [`version: '${version}',`]),
    ...cluster,
  ];
  return {
    imports: [],
    code: [
      before,
      "const cluster = new eks.CfnCluster(this, 'Cluster', {",
      ...properties.map((line) => `  ${line}`),
      '  /*Cluster*/',
      '});',
      'void cluster;',
      code,
    ].join('\n'),
  };
}

/** @returns the app with the fix, or why it can't be followed, as `{ problem }` */
export function obeyed(source: Source, { fixCode = '' }: Finding): Source | { readonly problem: string } {
  const left = /<[a-z][\w -]+>|changeme|["']…/i.exec(fixCode)?.[0];
  if (left !== undefined) return { problem: `${left} is left to the reader` };
  let { code } = source;
  const imports = [...source.imports];
  const parts: { where: string; lines: string[] }[] = [{ where: '', lines: [] }];
  for (const line of fixCode.split('\n')) {
    if (line.startsWith('import ')) imports.push(line);
    else if (/^\/\/ (?:in|behind|before|where) .*:$/.test(line)) parts.push({ where: line.slice(3, -1), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  for (const { where, lines } of parts.filter((part) => part.where !== '' || part.lines.length > 0)) {
    const placed = place(code, where, lines.join('\n'));
    if (typeof placed !== 'string') return placed;
    code = placed;
  }
  return { imports, code };
}

function place(code: string, where: string, text: string): string | { readonly problem: string } {
  if (where === '' && /^\w+: /.test(text)) return { problem: `it doesn't say where it goes: ${text}` };
  if (where === '' || where.startsWith('before '))
    return code.includes(`/*${where || 'before'}*/`.replace('before the ', 'before '))
      ? code.replace(`/*${where || 'before'}*/`.replace('before the ', 'before '), () => `${text}\n/*before*/`)
      : `${code}\n${text}`;
  if (/^(?:behind|where) /.test(where)) return `${code}\n${text}`;
  const [, kind = '', further = '', without = ''] =
    /^in (?:the options of |the properties of |launchTemplateData of |blockDevices of )?(?:the |a )?([\w ]+?(?: Stack\/[\w/]+)?)( that takes its place, under another id|, where .*|, with `.*|, whose own group takes none; .*)?(?:, without (.*))?$/.exec(
      where,
    ) ?? [];
  const marker = where.startsWith('in launchTemplateData')
    ? 'launchTemplateData'
    : where.startsWith('in blockDevices')
      ? 'blockDevices'
      : (MARKERS[kind] ?? kind);
  const at = code.indexOf(`/*${marker}*/`);
  if (at < 0) return { problem: `the app has nothing to put "${where}" into` };
  const open = openingOf(code, at);
  let inside = code.slice(open, at);
  let before = code.slice(0, open);
  for (const name of without.split(/, | and /).filter((one) => one !== '')) {
    const rest = inside.replace(new RegExp(`\\b${name}: [^\\n]*,\\n`), '');
    if (rest === inside) return { problem: `there is no ${name} to go without` };
    inside = rest;
  }
  // What is set already is replaced.
  for (const [, name = ''] of text.matchAll(/^(\w+)(?=: |,)/gm))
    inside = inside.replace(new RegExp(`^ *${name}(?:: [^\\n]*)?,\\n`, 'm'), '');
  if (further.startsWith(' that takes')) before = before.replace(/'Workers'(?=[^']*$)/, "'WorkersAnew'");
  return `${before}${inside}${text}\n${code.slice(at)}`;
}

const MARKERS: Readonly<Record<string, string>> = {
  CfnAddon: 'Addon',
  CfnCluster: 'Cluster',
  CfnNodegroup: 'node group',
  group: 'node group',
  cluster: 'Cluster',
};

/** Behind the brace of the object that an index is in. */
function openingOf(code: string, at: number): number {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    if (code[index] === '}') depth++;
    if (code[index] === '{' && depth-- === 0) return index + 1;
  }
  throw new Error('the marker is in no object');
}
