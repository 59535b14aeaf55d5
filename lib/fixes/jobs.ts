import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Finding, Repair } from '../engine';
import { appOutputs } from '../front-ends/registry';
import { resourceName } from './address';
import { obstacleTo } from './obstacles';

/** A finding that isn't repaired, and why. */
export interface Refused {
  readonly finding: Finding;
  readonly reason: string;
}

/** Repairs that are made together. */
export interface Step {
  readonly repairs: readonly Repair[];
  /** Index of the item of a list that the finding is about. */
  readonly item: number | undefined;
}

/** What a machine does about findings that one block makes. */
export interface Job {
  /** All instances of the block: one with `count`, or of a module that is called twice, has a finding for each. */
  readonly findings: readonly [Finding, ...Finding[]];
  /** What holds the block: the real path of the file, and where the block begins. */
  readonly path: string;
  readonly target: string;
  readonly steps: readonly Step[];
}

export interface Plan {
  readonly jobs: readonly Job[];
  readonly refused: readonly Refused[];
}

/**
 * What a machine can repair of a run's findings. Suppressed findings and those that need a decision are left alone without a word.
 * @param isWanted whether a finding is to be repaired, if it can be
 */
export function planJobs(findings: readonly Finding[], isWanted: (finding: Finding) => boolean = () => true): Plan {
  const refused: Refused[] = [];
  const jobs = new Map<string, Job>();
  const accepted = acceptedByBlock(findings);
  for (const finding of findings) {
    if (finding.repairs === undefined || !isOpenFailure(finding) || !isWanted(finding)) continue;
    const reason = whyNotEdited(finding) ?? obstacleTo(finding) ?? whyAccepted(finding, accepted);
    if (reason !== undefined) {
      refused.push({ finding, reason });
      continue;
    }
    const step = stepOf(finding);
    const { target } = blockOf(finding);
    const key = JSON.stringify([target, step]);
    const job = jobs.get(key);
    if (job === undefined) jobs.set(key, { findings: [finding], ...blockOf(finding), steps: [step] });
    else jobs.set(key, { ...job, findings: [...job.findings, finding] });
  }
  return { jobs: [...jobs.values()], refused };
}

export function isOpenFailure({ verdict, suppressed }: Finding): boolean {
  return verdict === 'fail' && suppressed === undefined;
}

export function stepOf(finding: Finding): Step {
  return { repairs: finding.repairs ?? [], item: itemOf(finding) };
}

/** Index of the item of a list that a finding is about: `NetworkInterfaces.1.SubnetId`, `network_interfaces[1].subnet_id`. */
function itemOf({ source }: Finding): number | undefined {
  const index = /(?:\.(\d+)(?:\.|$)|\[(\d+)\])/.exec(source.locate().property ?? '');
  return index === null ? undefined : Number(index[1] ?? index[2]);
}

/** The text that declares the resource of a finding, whatever names lead to the file and whatever instances there are. */
function blockOf({ resource }: Finding): Pick<Job, 'path' | 'target'> {
  const { file, line, column } = resource.source.locate();
  const path = realPathOf(file);
  return {
    path,
    target: JSON.stringify([
      path,
      line,
      column,
      resource.type,
      resourceName(resource.id, resource.type) ?? resource.id,
    ]),
  };
}

/** Accepted findings by rule and block. */
function acceptedByBlock(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const accepted = new Map<string, Finding[]>();
  // Only blocks of rules that repair can matter.
  const rules = new Set(findings.flatMap(({ rule, repairs }) => (repairs === undefined ? [] : [rule])));
  for (const finding of findings) {
    if (finding.suppressed === undefined || !rules.has(finding.rule)) continue;
    const key = ruleAndBlock(finding);
    accepted.set(key, [...(accepted.get(key) ?? []), finding]);
  }
  return accepted;
}

function ruleAndBlock(finding: Finding): string {
  return `${finding.rule} ${blockOf(finding).target}`;
}

/** A decision for one instance of a block would be overruled by changing the block for another. */
function whyAccepted(finding: Finding, accepted: ReadonlyMap<string, readonly Finding[]>): string | undefined {
  const { stack, id } = finding.resource;
  const other = accepted
    .get(ruleAndBlock(finding))
    ?.find(({ resource }) => resource.id !== id || resource.stack !== stack);
  if (other === undefined) return undefined;
  const { resource } = other;
  return `the same text makes ${resource.id}${resource.id === id ? ` of ${resource.stack}` : ''}, where the finding is accepted`;
}

/** Folders that a program writes besides apps, and what to do instead of editing what is in them. */
const GENERATED: readonly (readonly [folder: string, instead: string])[] = [
  ['.terraform', '`terraform init` downloads this module: change its call, or its source'],
  ['.terragrunt-cache', 'Terragrunt makes this copy: change its source'],
  ['.aws-sam', '`sam build` writes this file: change the template that it builds'],
  ['.serverless', 'the Serverless Framework writes this file: change its configuration'],
];

/** Why nobody edits a file: an app wrote it, or another program. The real path counts, since links may give a folder another name. */
function whyGenerated(file: string): string | undefined {
  const folder = dirname(realPathOf(file));
  const output = appOutputs().find((one) => one.isAt(folder)) ?? appOutputs().find((one) => isBelow(file, one.folder));
  return output?.whyNotEdited ?? GENERATED.find(([name]) => isBelow(file, name))?.[1];
}

/** Of what has the path of a construct. */
const BY_APP = 'an app of the CDK writes this file: change the app';

/** Why what a finding is about isn't written in a file that may be edited. */
export function whyNotEdited({ resource, source }: Finding): string | undefined {
  const { file } = resource.source.locate();
  const { fixes } = resource.dialect;
  if (file === '') return 'no file holds it';
  const instead = fixes.whyGenerated ?? (resource.path === undefined ? whyGenerated(file) : BY_APP);
  if (instead !== undefined) return instead;
  if (fixes.editorOf(file) === undefined) return fixes.whyNoEditor;
  if (source.from !== undefined)
    return `it is decided by ${/^(?:default|argument|output) /.test(source.from) ? 'the ' : ''}${source.from}`;
  const place = source.locate().file;
  return place === file ? undefined : `it is decided in ${place}`;
}

/** Whether a file is in a folder of a name, by the path that leads there or by where a link points. */
function isBelow(file: string, folder: string): boolean {
  return [resolve(file), realPathOf(file)].some((path) => path.split(/[\\/]/).slice(0, -1).includes(folder));
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}
