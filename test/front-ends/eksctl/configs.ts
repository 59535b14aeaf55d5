import { AS_OF } from '../../as-of';
import { EksModel, type EksResource } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { EKSCTL } from '../../../lib/front-ends/eksctl/dialects';
import { readConfig } from '../../../lib/front-ends/eksctl/read';
import { allRules } from '../../../lib/rules';

/** A ClusterConfig of a cluster on Kubernetes 1.34, with what is given behind its metadata. */
export function config(...lines: readonly string[]): string {
  return [
    'apiVersion: eksctl.io/v1alpha5',
    'kind: ClusterConfig',
    'metadata:',
    '  name: shop',
    '  region: eu-west-1',
    '  version: "1.34"',
    ...lines,
    '',
  ].join('\n');
}

/** One managed group with settings. */
export function managed(...settings: readonly string[]): string {
  return ['managedNodeGroups:', '  - name: workers', ...settings.map((line) => `    ${line}`)].join('\n');
}

/** One self-managed group with settings. */
export function selfManaged(...settings: readonly string[]): string {
  return ['nodeGroups:', '  - name: workers', ...settings.map((line) => `    ${line}`)].join('\n');
}

/** The resources of a ClusterConfig that can be read. */
export function resourcesIn(text: string, file = 'cluster.yaml'): readonly EksResource[] {
  const { resources, diagnostics } = readConfig(text, file, EKSCTL, true);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return resources;
}

/** What all rules say of it. */
export function findingsIn(text: string, file = 'cluster.yaml'): readonly Finding[] {
  return runRules(new EksModel(resourcesIn(text, file)), allRules, { asOf: AS_OF });
}

/** Failures, each as `rule severity line`. */
export function failuresIn(text: string): readonly string[] {
  return findingsIn(text)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ rule, severity, source }) => `${rule} ${severity} ${source.locate().line}`);
}

/** The code of the first fix that a rule proposes. */
export function fixCodeIn(text: string, rule: string): string | undefined {
  return findingsIn(text).find((finding) => finding.rule === rule && finding.verdict === 'fail')?.fixCode;
}
