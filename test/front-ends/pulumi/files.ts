import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { allRules } from '../../../lib/rules';
import { readPaths } from '../../../lib/front-ends/paths';
import type { ReadResult } from '../../../lib/front-ends/reader';
import { AS_OF } from '../../as-of';
import { UNKNOWN } from './preview';

/* Previews and states, put together after what Pulumi documents of them (sdk/go/common/apitype, pkg/display/json.go). */

export const CLUSTER = 'aws:eks/cluster:Cluster';
export const NODE_GROUP = 'aws:eks/nodeGroup:NodeGroup';
export const LAUNCH_TEMPLATE = 'aws:ec2/launchTemplate:LaunchTemplate';
export const ADDON = 'aws:eks/addon:Addon';
export const GROUP = 'aws:ec2/securityGroup:SecurityGroup';

export const SIGNATURE = '4dabf18193072939515e22adb298388d';
export const SECRET = '1b47061264138c4ac30d75fd1eb44270';

export function urnOf(type: string, name: string, parents = ''): string {
  return `urn:pulumi:prod::shop::${parents}${type}::${name}`;
}

type Json = Readonly<Record<string, unknown>>;

/** The state of a resource. */
export function stateOf(type: string, name: string, inputs: Json, more: Json = {}): Json {
  return { urn: urnOf(type, name), custom: true, type, inputs, ...more };
}

export function stateFile(resources: readonly Json[], more: Json = {}): string {
  return JSON.stringify({ version: 3, deployment: { manifest: {}, resources, ...more } }, undefined, 2);
}

export function previewFile(steps: readonly Json[], more: Json = {}): string {
  return JSON.stringify({ steps, duration: 1, changeSummary: { create: steps.length }, ...more }, undefined, 2);
}

export function create(state: Json): Json {
  return { op: 'create', urn: state['urn'], newState: state, detailedDiff: null };
}

/** A group with a launch template that is about to be created beside it. */
export function groupWithTemplate(metadataOptions: Json): readonly Json[] {
  return [
    create(stateOf(LAUNCH_TEMPLATE, 'nodes', { __defaults: ['name'], name: 'nodes-1a2b3c4', metadataOptions })),
    create(
      stateOf(
        NODE_GROUP,
        'workers',
        {
          amiType: 'AL2023_x86_64_STANDARD',
          clusterName: 'shop',
          launchTemplate: { __defaults: [], id: UNKNOWN, version: UNKNOWN },
          nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
          scalingConfig: { desiredSize: 1, maxSize: 2, minSize: 1 },
          subnetIds: ['subnet-1'],
          taints: [{ key: 'team', value: 'a', effect: 'NO_SCHEDULE' }],
        },
        { propertyDependencies: { launchTemplate: [urnOf(LAUNCH_TEMPLATE, 'nodes')] } },
      ),
    ),
  ];
}

/** What comes through the standard input. */
export function read(text: string, name = 'preview.json'): ReadResult {
  return readPaths(['-'], {}, { standardInput: { name, text } });
}

export function judge(text: string, rule: string): readonly Finding[] {
  const { resources } = read(text);
  const rules = allRules.filter(({ id }) => id === rule);
  return runRules(new EksModel(resources), rules, { asOf: AS_OF });
}

/** What a rule says of a file, and of which resource. */
export function said(text: string, rule: string): readonly string[] {
  return judge(text, rule).map(({ verdict, messageId = '', resource }) => `${verdict} ${messageId} ${resource.id}`);
}
