import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Finding } from '../engine';
import type { Resource } from '../value';
import { appOutputs } from '../front-ends/registry';
import { resourceName } from './address';
import type { Edit } from './edit';
import type { CallPlace } from './edited-text';
import { obstacleTo } from './obstacles';

/** A finding that isn't repaired, and why. */
export interface Refused {
  readonly finding: Finding;
  readonly reason: string;
}

/** Repairs that are made together. */
export interface Step {
  readonly repairs: readonly Edit[];
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
  /** What it does to what runs. @default - it is safe */
  readonly effect?: string;
  /** It repairs what another job would cause. @default - what was found */
  readonly isFollowing?: true;
}

export interface Plan {
  readonly jobs: readonly Job[];
  readonly refused: readonly Refused[];
}

/** Which repairs are made. */
export interface RepairLevel {
  /** Also those that need a decision. @default false */
  readonly isUnsafe?: boolean;
  /** All that there is: what stands in one text is changed only if all that it makes wants it. @default - what has findings */
  readonly resources?: readonly Resource[];
}

/**
 * What a machine can repair of a run's findings. Suppressed findings and those that need a decision nobody has made are left alone without a word.
 * @param isWanted whether a finding is to be repaired, if it can be
 */
export function planJobs(
  findings: readonly Finding[],
  isWanted: (finding: Finding) => boolean = () => true,
  { isUnsafe = false, resources = [] }: RepairLevel = {},
): Plan {
  const refused: Refused[] = [];
  const jobs = new Map<string, Job>();
  const accepted = acceptedByBlock(findings);
  for (const finding of findings) {
    if (!isRepairable(finding, isUnsafe) || !isWanted(finding)) continue;
    const reason = whyNotEdited(finding) ?? obstacleTo(finding) ?? whyAccepted(finding, accepted);
    if (reason !== undefined) {
      refused.push({ finding, reason });
      continue;
    }
    const step = stepOf(finding);
    const { target } = blockOf(finding);
    const key = JSON.stringify([target, step]);
    const job = jobs.get(key);
    if (job === undefined) jobs.set(key, jobOf(finding));
    else jobs.set(key, { ...job, ...moreUnsafe(job, finding), findings: [...job.findings, finding] });
  }
  const divided = dividedBlocks([...jobs.values()], resources);
  const whole: Job[] = [];
  for (const job of jobs.values()) {
    const reason = divided(job);
    if (reason === undefined) whole.push(job);
    else refused.push(...job.findings.map((finding) => ({ finding, reason })));
  }
  return { jobs: whole, refused };
}

/** The job that repairs a finding alone. */
export function jobOf(finding: Finding): Job {
  return {
    findings: [finding],
    ...blockOf(finding),
    steps: [stepOf(finding)],
    ...(finding.repairEffect === undefined ? {} : { effect: finding.repairEffect }),
  };
}

/** What is safe for one finding may be a decision for another. */
function moreUnsafe({ effect }: Job, { repairEffect }: Finding): Pick<Job, 'effect'> {
  const either = effect ?? repairEffect;
  return either === undefined ? {} : { effect: either };
}

/** Whether a machine would repair a finding, if it can be done where it is. */
export function isRepairable(finding: Finding, isUnsafe: boolean): boolean {
  return finding.repairs !== undefined && isOpenFailure(finding) && (isUnsafe || finding.repairEffect === undefined);
}

/** Why a block isn't changed of which only some instances have a finding; asked of each job. */
function dividedBlocks(jobs: readonly Job[], resources: readonly Resource[]): (job: Job) => string | undefined {
  const targets = new Set(jobs.map(({ target }) => target));
  // Nearly all blocks have one instance, which the file and the line tell.
  const files = new Map<string, Set<number>>();
  for (const { findings } of jobs) {
    const { file, line } = findings[0].resource.source.locate();
    files.set(file, (files.get(file) ?? new Set()).add(line));
  }
  const instances = new Map<string, Resource[]>();
  for (const resource of resources) {
    const { file, line } = resource.source.locate();
    if (files.get(file)?.has(line) !== true) continue;
    const { target } = blockOf({ resource });
    if (targets.has(target)) instances.set(target, [...(instances.get(target) ?? []), resource]);
  }
  return ({ target, findings }) => {
    const wanting = new Set(findings.map(({ resource }) => instanceOf(resource)));
    const other = instances.get(target)?.find((one) => !wanting.has(instanceOf(one)));
    return other === undefined ? undefined : `the same text makes ${other.id}, which doesn't need it`;
  };
}

function instanceOf({ stack, id }: Resource): string {
  return JSON.stringify([stack, id]);
}

/** The call of somebody else's module that declares a resource. */
export function callPlaceOf({ moduleInputs, moduleInputsAt }: Resource): CallPlace | undefined {
  return moduleInputs === undefined || moduleInputsAt === undefined
    ? undefined
    : { at: moduleInputsAt.replace(/^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*(?=module\.)/, ''), inputs: moduleInputs };
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
export function blockOf({ resource }: Pick<Finding, 'resource'>): Pick<Job, 'path' | 'target'> {
  const { file, line, column } = resource.source.locate();
  const path = realPathOf(file);
  return {
    path,
    target: JSON.stringify([
      path,
      line,
      column,
      resource.type,
      callPlaceOf(resource)?.at ?? resourceName(resource.id, resource.type) ?? resource.id,
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
  const unwritten = whyNotWritten(resource);
  if (unwritten !== undefined) return unwritten;
  // What a module takes by default is given in its call.
  const isOfCall = source.isModuleDefault !== undefined && callPlaceOf(resource) !== undefined;
  if (source.from !== undefined && !isOfCall)
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

/** Why nobody writes the file that a resource stands in. */
export function whyNotWritten(resource: Resource): string | undefined {
  const { file } = resource.source.locate();
  const { fixes } = resource.dialect;
  if (file === '') return 'no file holds it';
  const instead = fixes.whyGenerated ?? (resource.path === undefined ? whyGenerated(file) : BY_APP);
  return instead ?? (fixes.editorOf(file) === undefined ? fixes.whyNoEditor : undefined);
}
