import { statSync } from 'node:fs';
import type { Diagnostic } from '../engine';
import {
  alternativesOf,
  always,
  documentOf,
  Known,
  nowhere,
  whereExists,
  type AmiFamily,
  type EksResource,
  type LaunchTemplate,
  type PlacedSuppression,
  type Source,
  type UserData,
} from '../eks';
import { fileBytes } from '../files/read';
import { readTemplates } from '../front-ends/cloudformation';
import { whyNotRead } from '../front-ends/near-path';
import { readPaths } from '../front-ends/paths';
import { unpackUserData } from '../eks/user-data/decode';
import type { UserDataDocument } from '../eks/user-data/document';
import { foreignObjectIn, isHybridNodeConfig, type ForeignObject } from '../eks/user-data/foreign-object';
import { readUserDataFile } from '../eks/user-data/placeholders';
import { lastAtOrBefore, SourceText, type TextPosition } from '../eks/user-data/source-text';
import { nearestName } from '../text/nearest';
import { readStandardInput } from './standard-input';
import { UsageError } from './usage-error';
import { decisionsIn } from './user-data-comments';
import {
  familiesFor,
  impliedTemplate,
  launchWith,
  type Surroundings,
  type UserDataLaunch,
  type UserDataQuestion,
} from './user-data-launch';

/** One user data to look at. */
export interface UserDataInput {
  /** How it is called: the file, or the launch template and the condition. */
  readonly label: string;
  readonly userData: UserData;
  readonly document: UserDataDocument;
  /** The text with `${…}` for what isn't known; places of findings count in it. */
  readonly shown: string;
  /** Where it stands in the file that was read. */
  readonly source: Source;
  /** What the rules judge: the launch template, and what uses it. */
  readonly resources: readonly EksResource[];
  readonly launchTemplate: LaunchTemplate;
  /** The same for each operating system that it may be for, where that isn't known. @default - it is, or nothing tells */
  readonly perFamily?: readonly UserDataLaunch[];
  /** Decisions in comments of the file. @default - none */
  readonly suppressions?: readonly PlacedSuppression[];
  /** Those comments stand in the user data, so all of them are about it. @default false */
  readonly hasOwnDecisions?: boolean;
  /** What it is that rules can't judge; undefined for user data of EC2 nodes. */
  readonly notJudged: string | undefined;
}

export interface UserDataInputs {
  /** What a lone file of user data holds. @default - it is something else */
  readonly text?: string;
  readonly inputs: readonly UserDataInput[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads user data from a file, the standard input (`-`), or the launch templates of a CloudFormation template or `cdk.out`.
 * @throws UsageError if a template has no such launch template, or several and none is named
 */
export async function readUserDataInput(file: string, question: UserDataQuestion): Promise<UserDataInputs> {
  let bytes: Buffer | undefined;
  try {
    bytes = file === '-' ? await readStandardInput() : statSync(file).isDirectory() ? undefined : fileBytes(file);
  } catch (error) {
    return nothing(file, whyNotRead(file, error));
  }
  if (bytes === undefined) return fromTemplates(readPaths([file]), file, question);
  const name = file === '-' ? 'standard input' : file;
  const text = bytes.toString('utf8');
  // What comes before the pipe failed, or found nothing.
  if (file === '-' && text.trim() === '') return nothing(name, 'it is empty, so there is no user data to look at');
  if (file === '-' && NONE.has(text.trim()))
    return nothing(name, `it is "${text.trim()}", as commands print it where there is no user data`);
  if (isTemplate(text)) return fromTemplates(readTemplates([{ file: name, text }]), name, question);
  if (question.id !== undefined)
    throw new UsageError(`--id names a launch template of a CloudFormation template, and ${name} is none`);
  return { ...loneUserData(bytes, name, question), text };
}

/** What the AWS CLI prints as text, and jq, for a value that isn't there. */
const NONE: ReadonlySet<string> = new Set(['None', 'null']);

function nothing(file: string, message: string): UserDataInputs {
  return { inputs: [], diagnostics: [{ severity: 'error', message, file, line: 1, column: 1 }] };
}

/** A template declares resources at its top level; no user data does. */
function isTemplate(text: string): boolean {
  return /^\s*\{/.test(text)
    ? /"Resources"\s*:\s*\{/.test(text)
    : /^(?:Resources|AWSTemplateFormatVersion)[ \t]*:/m.test(text) &&
        !/^\s*(?:#!|MIME-Version|Content-Type)/i.test(text);
}

/** The user data that bytes of a lone file hold. */
export function loneUserData(bytes: Uint8Array, name: string, question: UserDataQuestion): UserDataInputs {
  const { text, layers, unknown } = unpackUserData(bytes, nowhere);
  if (unknown !== undefined) return nothing(name, `${unknown.reason}, so it is not judged`);
  const foreign = foreignObjectIn(text);
  if (foreign !== undefined) return { inputs: [], diagnostics: [foreignDiagnostic(foreign, text, name)] };
  // A file may hold the base64 that the launch template takes: that layer isn't one too many.
  const [first, ...inner] = layers;
  const userData: UserData = {
    text: readUserDataFile(text, name),
    layers: first === 'base64' ? inner : layers,
    encodedBy: 'user',
  };
  const input = inputOf(name, userData, nowhere, question, (known) => ({
    template: impliedTemplate(name, known),
    when: always,
    resources: [],
  }));
  const { suppressions, diagnostics } = decisionsIn(input.shown, name, input.document);
  const judged = { ...input, suppressions, hasOwnDecisions: true };
  return { inputs: [isHybridNodeConfig(input.document) ? { ...input, notJudged: HYBRID } : judged], diagnostics };
}

const HYBRID =
  "a NodeConfig with spec.hybrid, for hybrid nodes: nodeadm of eks-hybrid reads it, no EC2 node does, so it isn't judged";

function foreignDiagnostic({ kind, apiVersion, offset }: ForeignObject, text: string, file: string): Diagnostic {
  const message = `this is ${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind} (${apiVersion}), not user data`;
  return { severity: 'error', message, file, ...SourceText.of(text).positionAt(offset) };
}

function fromTemplates(
  { resources, diagnostics, suppressions = [] }: ReturnType<typeof readTemplates>,
  file: string,
  question: UserDataQuestion,
): UserDataInputs {
  const all = resources.filter((resource) => resource.kind === 'launch-template');
  const chosen =
    question.id === undefined
      ? all.filter(({ userData }) => alternativesOf(userData).some(({ value }) => value.kind !== 'absent'))
      : all.filter(({ id }) => id === question.id);
  const ids = all.map(({ id }) => id);
  if (chosen.length === 0) {
    if (question.id === undefined)
      throw new UsageError(
        `no launch template in ${file} has user data${ids.length === 0 ? ', because it has no launch template' : ''}`,
      );
    const nearest = nearestName(question.id, ids);
    throw new UsageError(
      `${file} has no launch template "${question.id}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}${ids.length === 0 ? '' : `\nIt has ${ids.join(', ')}.`}`,
    );
  }
  if (question.id === undefined && chosen.length > 1)
    throw new UsageError(
      `${file} has several launch templates with user data; choose one with --id: ${chosen.map(({ id }) => id).join(', ')}`,
    );
  const problems = [...diagnostics];
  const inputs = chosen.flatMap((template) =>
    alternativesOf(whereExists(template, template.userData)).flatMap(({ when, value }): UserDataInput[] => {
      const condition = when === always ? '' : ` (if ${when.text})`;
      if (value.kind === 'known')
        return [
          {
            ...inputOf(`${template.id}${condition}`, value.value, value.source, question, () => ({
              template,
              when,
              resources,
            })),
            suppressions: suppressions.map((suppression) => atUserData(suppression, template.source, value.source)),
          },
        ];
      const message =
        value.kind === 'absent'
          ? `launch template ${template.id} has no user data${condition}`
          : `the user data of launch template ${template.id} isn't known: ${value.reason}${condition}`;
      problems.push({ severity: 'warning', message, ...placeOf(value.source) });
      return [];
    }),
  );
  return { inputs, diagnostics: problems };
}

/** Findings count in the text of the user data; comments stand in the file that holds it. */
function atUserData(suppression: PlacedSuppression, template: Source, userData: Source): PlacedSuppression {
  return {
    ...suppression,
    covers: (where) => suppression.covers({ ...where, head: template.locate(), place: userData.locate() }),
  };
}

function placeOf(source: Source): { file: string; line: number; column: number } {
  const { file, line, column } = source.locate();
  return { file, line, column };
}

/** The user data with places that count in its own text, as the code frames of the report show it. */
function inputOf(
  label: string,
  userData: UserData,
  source: Source,
  question: UserDataQuestion,
  surroundings: (userData: Known<UserData>) => Surroundings,
): UserDataInput {
  // The layers are taken off first, so that places count in the text that is shown.
  const decoded = documentOf(userData);
  const positionAt = shownPositions(decoded.text);
  const text = decoded.text.relocate((offset) => ({ locate: () => ({ file: label, ...positionAt(offset) }) }));
  const relocated: UserData = { text, layers: decoded.layers, encodedBy: userData.encodedBy };
  const known = new Known(relocated, { locate: () => ({ file: label, line: 1, column: 1 }) });
  const document = documentOf(relocated);
  const launchFor = (family: AmiFamily | undefined): UserDataLaunch =>
    launchWith(known, surroundings(known), { ...question, family });
  const families = familiesFor(question, document);
  const [only, ...others] = families;
  const launch = launchFor(others.length === 0 ? (question.family ?? only) : undefined);
  const perFamily = others.length === 0 ? {} : { perFamily: families.map(launchFor) };
  return {
    label,
    userData: relocated,
    document,
    shown: text.show(),
    source,
    ...launch,
    ...perFamily,
    notJudged: undefined,
  };
}

/** Line and column in the shown text, where unknown parts have another length. */
function shownPositions(text: SourceText): (offset: number) => TextPosition {
  const shown = SourceText.of(text.show());
  const ends: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  for (const { start, end } of text.unknownParts) {
    shift += text.show(start, end).length - (end - start);
    ends.push(end);
    shifts.push(shift);
  }
  return (offset) => {
    const from = text.unknownIn(offset, offset + 1)?.start ?? offset;
    return shown.positionAt(from + (shifts[lastAtOrBefore(ends, from)] ?? 0));
  };
}
