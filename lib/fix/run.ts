import { readFileSync } from 'node:fs';
import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import { repairFindings, type Refused, type RepairedFile, type TextSource } from './repairs';

/** What became of a run's findings. */
export interface FixResult {
  /** The check after the repairs; before them, of a dry run. */
  readonly result: CheckResult;
  /** Files that are repaired now, or that would be. */
  readonly files: readonly RepairedFile[];
  /** Findings that a machine could repair elsewhere, but not here. */
  readonly refused: readonly Refused[];
  /** Files whose repairs were undone, because they didn't do what they should, or that could not be written. */
  readonly undone: readonly { readonly file: string; readonly reason: string }[];
}

export interface FixRequest {
  /** Runs the check again. */
  readonly check: () => Promise<CheckResult>;
  readonly write: (file: string, text: string) => Promise<void>;
  /** In words, an error of `write`; undefined for one that isn't the system's. */
  readonly whyNotWritten: (error: unknown) => string | undefined;
  readonly isDryRun: boolean;
}

/** Repairs the files of a check and checks again. A file of which a repaired finding is still there gets its old text back. */
export async function fixFiles(first: CheckResult, request: FixRequest): Promise<FixResult> {
  const { files, refused } = repairFindings(first.findings, readEditable);
  if (request.isDryRun || files.length === 0) return { result: first, files, refused, undone: [] };
  const undone: { file: string; reason: string }[] = [];
  const written: RepairedFile[] = [];
  for (const file of files) {
    const reason = await attempt(request, file.file, file.after);
    if (reason === undefined) written.push(file);
    else undone.push({ file: file.file, reason: `it can't be written: ${reason}` });
  }
  let result = await request.check();
  const kept: RepairedFile[] = [];
  for (const file of written) {
    const reason = whatWentWrong(file, first, result);
    if (reason === undefined) {
      kept.push(file);
      continue;
    }
    const failed = await attempt(request, file.file, file.before);
    undone.push({ file: file.file, reason: failed === undefined ? reason : `${reason}, and its old text can't be written back: ${failed}` });
  }
  if (kept.length < written.length) result = await request.check();
  return { result, files: kept, refused, undone };
}

async function attempt({ write, whyNotWritten }: FixRequest, file: string, text: string): Promise<string | undefined> {
  try {
    await write(file, text);
    return undefined;
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/** Why the repairs of a file aren't kept. */
export function whatWentWrong({ file, findings }: RepairedFile, before: Pick<CheckResult, 'findings' | 'diagnostics'>, after: Pick<CheckResult, 'findings' | 'diagnostics'>): string | undefined {
  const errors = (result: typeof before): number => result.diagnostics.filter((one) => one.severity === 'error' && one.file === file).length;
  if (errors(after) > errors(before)) return 'the repaired file could not be read';
  const old = counts(before.findings);
  const left = counts(after.findings);
  const repaired = counts(findings);
  for (const [key, number] of repaired) {
    if ((left.get(key) ?? 0) > (old.get(key) ?? 0) - number) return `the finding was still there (${findings.find((finding) => keyOf(finding) === key)?.rule ?? ''})`;
  }
  return undefined;
}

function counts(findings: readonly Finding[]): Map<string, number> {
  const result = new Map<string, number>();
  for (const finding of findings) if (finding.suppressed === undefined) result.set(keyOf(finding), (result.get(keyOf(finding)) ?? 0) + 1);
  return result;
}

function keyOf({ rule, messageId, verdict, resource }: Finding): string {
  return JSON.stringify([rule, messageId ?? verdict, resource.stack, resource.id]);
}

/** A file that can be given back byte by byte. */
const readEditable: TextSource = (file) => {
  try {
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? { text } : { problem: 'the file is not UTF-8' };
  } catch {
    return { problem: 'the file can no longer be read' };
  }
};
