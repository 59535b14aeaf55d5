import { resolve } from 'node:path';
import type { Finding, Repair } from '../engine';
import { TemplateText } from './cloudformation';
import { HclFile, JsonConfigurationFile, resourceName } from './terraform';
import { applyEdits, type EditPlan, type TextEdit } from './text-edit';

/** A finding that isn't repaired, and why. */
export interface Refused {
  readonly finding: Finding;
  readonly reason: string;
}

/** A file with its repairs. */
export interface RepairedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** What the repairs are about. */
  readonly findings: readonly Finding[];
}

export interface Repairs {
  readonly files: readonly RepairedFile[];
  readonly refused: readonly Refused[];
}

/** A text to repair, or why it can't be edited. */
export type TextSource = (file: string) => { readonly text: string } | { readonly problem: string };

/** The findings of a file, in the order in which they were found. */
interface Job {
  readonly finding: Finding;
  readonly repairs: readonly Repair[];
}

/**
 * Repairs what a machine can repair of a run's findings, in the texts only: nothing is written. Suppressed findings and those that need a
 * decision are left alone without a word.
 */
export function repairFindings(findings: readonly Finding[], read: TextSource): Repairs {
  const refused: Refused[] = [];
  const jobs = new Map<string, Job[]>();
  for (const finding of findings) {
    const { repairs, verdict, suppressed } = finding;
    if (repairs === undefined || repairs.length === 0 || verdict !== 'fail' || suppressed !== undefined) continue;
    const { file } = finding.resource.source.locate();
    const reason = whyNotEdited(finding, file);
    if (reason !== undefined) {
      refused.push({ finding, reason });
      continue;
    }
    const list = jobs.get(file);
    if (list === undefined) jobs.set(file, [{ finding, repairs }]);
    else list.push({ finding, repairs });
  }
  const files = [...jobs].flatMap(([file, list]): RepairedFile[] => {
    const content = read(file);
    if ('problem' in content) {
      refused.push(...list.map(({ finding }) => ({ finding, reason: content.problem })));
      return [];
    }
    const repaired = repairText(file, content.text, list, refused);
    return repaired.after === content.text ? [] : [repaired];
  });
  return { files, refused };
}

/** Why what a finding is about isn't written in a file that may be edited. */
function whyNotEdited({ resource, source }: Finding, file: string): string | undefined {
  const { frontEnd } = resource;
  if (frontEnd === 'cdktf' || /[\\/]cdktf\.out[\\/]/.test(resolve(file))) return 'an app of CDKTF writes this file: change the app';
  if (frontEnd === 'aws-cdk' || resource.path !== undefined || /[\\/]cdk\.out[\\/]/.test(resolve(file))) return 'an app of the CDK writes this file: change the app';
  if (file === '') return 'no file holds it';
  if (frontEnd === 'terraform' && !/\.tf(?:\.json)?$/.test(file)) return 'this is a plan: change the configuration and plan again';
  if (source.from !== undefined) return `it is decided by ${/^(?:default|argument|output) /.test(source.from) ? 'the ' : ''}${source.from}`;
  const place = source.locate().file;
  return place === file ? undefined : `it is decided in ${place}`;
}

interface EditedText {
  repair(type: string, id: string, repair: Repair, item: number | undefined): EditPlan;
}

function editable(file: string, text: string): EditedText | undefined {
  if (file.endsWith('.tf')) return HclFile.read(text);
  return file.endsWith('.tf.json') ? JsonConfigurationFile.read(text) : TemplateText.read(text, file);
}

/**
 * Makes the repairs in rounds: one resource after the other, each of which gets one repair in a round, so that the places of the next are
 * those of the changed text.
 */
function repairText(file: string, before: string, jobs: readonly Job[], refused: Refused[]): RepairedFile {
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
  let text = before.slice(mark.length);
  const findings: Finding[] = [];
  /** What is repaired: a block with `count`, or of a module that is called twice, has a finding for each. */
  const done = new Set<string>();
  let open = jobs;
  while (open.length > 0) {
    const later: Job[] = [];
    const busy = new Set<string>();
    const content = editable(file, text);
    const edits: TextEdit[] = [];
    for (const job of open) {
      const { finding, repairs } = job;
      const { type, id } = finding.resource;
      const target = `${type} ${resourceName(id, type) ?? id}`;
      const whole = JSON.stringify([target, repairs, itemOf(finding)]);
      if (done.has(whole)) {
        findings.push(finding);
        continue;
      }
      if (busy.has(target)) {
        later.push(job);
        continue;
      }
      busy.add(target);
      const plan = content === undefined ? { refusal: 'the file has defects that come first' } : allOf(content, type, id, repairs, itemOf(finding));
      if ('refusal' in plan) {
        refused.push({ finding, reason: plan.refusal });
        // Nothing was changed: the next one of the resource needn't wait.
        busy.delete(target);
      } else {
        findings.push(finding);
        done.add(whole);
        edits.push(...plan.edits);
      }
    }
    text = applyEdits(text, edits);
    open = later;
  }
  return { file, before, after: mark + text, findings };
}

/** All repairs of a finding, or none. */
function allOf(content: EditedText, type: string, id: string, repairs: readonly Repair[], item: number | undefined): EditPlan {
  const edits: TextEdit[] = [];
  for (const repair of repairs) {
    const plan = content.repair(type, id, repair, item);
    if ('refusal' in plan) return plan;
    edits.push(...plan.edits);
  }
  return { edits };
}

/** Index of the item of a list that a finding is about: `NetworkInterfaces.1.SubnetId`, `network_interfaces[1].subnet_id`. */
function itemOf({ source }: Finding): number | undefined {
  const index = /(?:\.(\d+)(?:\.|$)|\[(\d+)\])/.exec(source.locate().property ?? '');
  return index === null ? undefined : Number(index[1] ?? index[2]);
}

