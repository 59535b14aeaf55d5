import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AS_OF } from '../../as-of';
import { checkPaths, type CheckResult } from '../../../lib/check';
import type { StandardInput } from '../../../lib/front-ends/input-files';

/** What a check of some files says, in words. */
export interface Checked {
  readonly result: CheckResult;
  /** `warning imds-hop-limit k8s/nodes.yaml:7` */
  readonly failures: readonly string[];
  /** `drain-blocked` */
  readonly unverifiable: readonly string[];
  readonly problems: readonly string[];
  /** `kubernetes-manifest k8s/nodes.yaml 3` */
  readonly inputs: readonly string[];
  /** The objects of the model, `Deployment/shop/web`, each with its cluster's name. */
  readonly objects: readonly string[];
}

/** Checks files in a folder of their own. @param names the paths that are given; all if there are none */
export function checkFiles(
  files: Readonly<Record<string, string>>,
  names: readonly string[] = ['.'],
  standardInput?: StandardInput,
): Checked {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'manifests-')));
  const before = process.cwd();
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    process.chdir(root);
    const result = checkPaths(names, { asOf: AS_OF }, standardInput === undefined ? {} : { standardInput });
    const open = result.findings.filter(({ suppressed }) => suppressed === undefined);
    return {
      result,
      failures: open.flatMap(({ verdict, severity, rule, source }) => {
        const { file, line } = source.locate();
        return verdict === 'fail' ? [`${severity} ${rule} ${file}:${line}`] : [];
      }),
      unverifiable: [...new Set(open.flatMap(({ verdict, rule }) => (verdict === 'unverifiable' ? [rule] : [])))],
      problems: result.diagnostics.map(({ severity, file, line, message }) => `${severity} ${file}:${line} ${message}`),
      inputs: result.inputs.map(({ kind, path, resources }) => `${kind} ${path} ${resources}`),
      objects: result.model.clusterViews.flatMap((view) => view.manifests.map(({ id }) => `${id} ${view.name}`)),
    };
  } finally {
    process.chdir(before);
    rmSync(root, { recursive: true, force: true });
  }
}

/** A Deployment with a budget for its pods. */
export const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
`;

export const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec:
  minAvailable: 1
  selector: {matchLabels: {app: web}}
`;

/** A node class that leaves the metadata options to Karpenter. */
export const NODE_CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
`;

/** A template of a cluster with a managed node group. */
export function clusterTemplate(name = 'shop'): string {
  return JSON.stringify({
    Resources: {
      Cluster: {
        Type: 'AWS::EKS::Cluster',
        Properties: {
          Name: name,
          Version: '1.34',
          RoleArn: 'arn:aws:iam::111122223333:role/cluster',
          ResourcesVpcConfig: {},
        },
      },
      Workers: {
        Type: 'AWS::EKS::Nodegroup',
        Properties: {
          ClusterName: { Ref: 'Cluster' },
          NodeRole: 'arn:aws:iam::111122223333:role/nodes',
          Subnets: ['subnet-1', 'subnet-2'],
          AmiType: 'AL2023_x86_64_STANDARD',
        },
      },
    },
  });
}

export function documents(...texts: readonly string[]): string {
  return texts.join('---\n');
}
