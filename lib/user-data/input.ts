import type { Diagnostic } from '../engine';
import {
  always,
  documentOf,
  Known,
  nowhere,
  type AmiFamily,
  type EksResource,
  type LaunchTemplate,
  type PlacedSuppression,
  type Source,
  type UserData,
} from '../eks';
import { unpackUserData } from '../eks/user-data/decode';
import type { UserDataDocument } from '../eks/user-data/document';
import { foreignObjectIn, isHybridNodeConfig, type ForeignObject } from '../eks/user-data/foreign-object';
import { readUserDataFile } from '../eks/user-data/placeholders';
import { lastAtOrBefore, SourceText, type TextPosition } from '../eks/user-data/source-text';
import { decisionsIn } from './decisions';
import {
  familiesFor,
  impliedTemplate,
  launchWith,
  type Surroundings,
  type UserDataLaunch,
  type UserDataQuestion,
} from './launch';

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

/** What could not be read. */
export function unreadUserData(file: string, message: string): UserDataInputs {
  return { inputs: [], diagnostics: [{ severity: 'error', message, file, line: 1, column: 1 }] };
}

/** The user data that bytes of a lone file hold. */
export function loneUserData(bytes: Uint8Array, name: string, question: UserDataQuestion): UserDataInputs {
  const { text, layers, unknown } = unpackUserData(bytes, nowhere);
  if (unknown !== undefined) return unreadUserData(name, `${unknown.reason}, so it is not judged`);
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

/** The user data with places that count in its own text, as the code frames of the report show it. */
export function inputOf(
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
