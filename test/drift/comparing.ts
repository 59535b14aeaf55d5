import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readApart } from '../../lib/check';
import { compareModels } from '../../lib/drift/compare';
import type { ClusterDrift } from '../../lib/drift/drift';
import { arn, clusterAnswer, emptyLists, objectLists, type Files } from '../front-ends/live/dumps';

/* Code and the answers of a cluster that runs, compared. */

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function written(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-drift-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, undefined, 4));
  }
  return folder;
}

export function compare(code: Files, live: Files, withScaling = false): readonly ClusterDrift[] {
  const sets = [written(code), written(live)].map((folder) => ({ paths: [folder] }));
  return readApart(sets, {}, ([one, other]) => {
    if (one === undefined || other === undefined) throw new Error('both are read');
    expect([...one.diagnostics, ...other.diagnostics].filter(({ severity }) => severity === 'error')).toEqual([]);
    return compareModels(one.model, other.model, { withScaling });
  }).result;
}

/** One line for each difference. */
export function lines(drift: readonly ClusterDrift[]): readonly string[] {
  return drift.flatMap(({ items }) =>
    items.map(({ subject, name, status, setting, live, code }) =>
      [
        status,
        subject,
        name,
        setting ?? '',
        live === undefined && code === undefined ? '' : `${live ?? '-'} → ${code ?? '-'}`,
      ]
        .filter((text) => text !== '')
        .join(' '),
    ),
  );
}

export function textsOf(drift: readonly ClusterDrift[]): string {
  return drift.flatMap(({ items }) => items.map(({ text }) => text)).join('\n');
}

export const GROUP = {
  nodegroupName: 'workers',
  nodegroupArn: arn('eks', 'nodegroup/shop/workers/1'),
  clusterName: 'shop',
  version: '1.34',
  releaseVersion: '1.34.2-20260720',
  capacityType: 'ON_DEMAND',
  scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 3 },
  instanceTypes: ['m6i.large'],
  subnets: ['subnet-0a1', 'subnet-0a2'],
  amiType: 'AL2023_x86_64_STANDARD',
  nodeRole: arn('iam', 'role/nodes'),
  updateConfig: { maxUnavailable: 1 },
  labels: { tier: 'web' },
};

function daemonSet(env: Readonly<Record<string, string>>, init: Readonly<Record<string, string>> = {}): object {
  const list = (values: Readonly<Record<string, string>>): object[] =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'aws-node', namespace: 'kube-system', uid: '1', resourceVersion: '1' },
    spec: {
      template: {
        spec: {
          containers: [{ name: 'aws-node', env: list(env) }],
          initContainers: [{ name: 'aws-vpc-cni-init', env: list(init) }],
        },
      },
    },
  };
}

export function addonAnswer(name: string, version: string, given: object = {}): Files {
  return {
    [`addon-${name}.json`]: {
      addon: {
        addonName: name,
        clusterName: 'shop',
        addonVersion: version,
        addonArn: arn('eks', `addon/shop/${name}/1`),
        ...given,
      },
    },
  };
}

export const MADE_BY_KUBECTL = daemonSet({ ENABLE_POD_ENI: 'true' }, { DISABLE_TCP_EARLY_DEMUX: 'true' });
export const AS_WRITTEN = daemonSet({ ENABLE_POD_ENI: 'false' }, { DISABLE_TCP_EARLY_DEMUX: 'false' });

/** A cluster with the VPC CNI. */
export function live(objects: readonly object[] = [MADE_BY_KUBECTL], given: Files = {}): Files {
  return {
    ...clusterAnswer('shop'),
    ...emptyLists(),
    'addons.json': { addons: ['vpc-cni'] },
    ...addonAnswer('vpc-cni', 'v1.11.0-eksbuild.1'),
    ...objectLists(objects),
    ...given,
  };
}

export const CLUSTER =
  'resource "aws_eks_cluster" "shop" {\n  name     = "shop"\n  version  = "1.34"\n  role_arn = "arn:aws:iam::111122223333:role/cluster"\n  vpc_config { subnet_ids = ["subnet-0a1"] }\n}\n';

export function terraform(...lines: readonly string[]): Files {
  return { 'main.tf': `${CLUSTER}\n${lines.join('\n')}\n` };
}

export function addon(version: string, ...lines: readonly string[]): Files {
  return terraform(
    'resource "aws_eks_addon" "cni" {',
    '  cluster_name  = aws_eks_cluster.shop.name',
    '  addon_name    = "vpc-cni"',
    `  addon_version = ${version.startsWith('var.') ? version : `"${version}"`}`,
    ...lines.map((line) => `  ${line}`),
    '}',
  );
}

export const OVERWRITE = 'resolve_conflicts_on_update = "OVERWRITE"';
