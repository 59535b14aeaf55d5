import type { EksResource } from '../eks';
import type { Diagnostic, Dialect, InputKind, InputSummary, ParameterValues } from '../value';
import type { InputFiles, Reading } from './input-files';
import type { NotRead } from './parts/not-read';
import type { ReadResult } from './reader';

/*
 * What a front end is: it knows its inputs, reads them into the model, and says what they are written in. A new one is a folder here and a line in
 * the registry; nothing else asks which front ends there are.
 */

/** An input format, or the output of an app that is one. */
export interface FrontEnd<R extends InputReader = InputReader> {
  /** What its inputs are called in reports, by their kinds. */
  readonly kinds: Readonly<Partial<Record<InputKind, string>>>;
  /** What somebody hears of whose paths hold nothing to check: `CloudFormation template`. @default - it goes without saying */
  readonly sought?: string;
  /** What it is written in. @default - the same as another front end */
  readonly dialects?: readonly Dialect[];
  readonly detection?: Detection;
  /** Makes what reads its inputs. Front ends that give the same function are read together, by one reader. @default - it has a command of its own */
  readonly reader?: (run: ReadingRun) => R;
  /**
   * Has the reader read what was found. Method syntax, so that front ends with readers of their own fit in one list.
   *
   * @returns a refusal of a text that turns out to be no input, so that other front ends are asked
   */
  take?(reader: R, input: TakenInput, run: ReadingRun): Refusal | undefined;
  /** What is remarkable about all that was read. */
  review?(inputs: readonly InputSummary[]): readonly Diagnostic[];
}

/** How inputs are found among files and folders. It is asked about every file of a folder, so it is quick and loads nothing of the readers. */
export interface Detection {
  /** Files in folders that are looked at, by name. @default - none of their own */
  readonly fileNames?: RegExp;
  /** Whether a name alone tells that a file is an input. The reader then gets the file without its text. */
  readonly isFile?: (name: string) => boolean;
  /** How surely a text is an input. @param isNamed whether the user named the file; in folders there is much else */
  readonly inText?: (text: string, isNamed: boolean) => Sureness | undefined;
  /** Whether the reader gets a folder with files of such names, besides what else is found in it. */
  readonly wantsFolder?: (names: readonly string[]) => boolean;
  readonly output?: AppOutput;
  /** Of a text that comes through the standard input: a name for it if nobody gives one, and whether it is an input whatever its name is. */
  readonly inPipe?: (text: string) => { readonly name: string; readonly isSure: boolean } | undefined;
  /** Why what comes through the standard input is no input by itself, but part of one. */
  readonly whyPart?: (text: string, name: string) => string | undefined;
}

/** `surely`: it can be nothing else. `perhaps`: nothing better is known of it. */
export type Sureness = 'surely' | 'likely' | 'perhaps';

/** A folder that an app writes and that is read as a whole. */
export interface AppOutput {
  /** The file that lists what is in it. */
  readonly manifest: string;
  /** What such a folder is called by default. */
  readonly folder: string;
  /** Why a file in it isn't edited. */
  readonly whyNotEdited: string;
  readonly isAt: (folder: string) => boolean;
}

/** What a front end has recognized. */
export type TakenInput =
  | { readonly is: 'file'; readonly path: string; readonly isNamed: boolean; readonly text?: string }
  | { readonly is: 'folder'; readonly path: string; readonly isNamed: boolean; readonly names: readonly string[] }
  | { readonly is: 'output'; readonly path: string };

/** Tells why a text is no input, once no other front end has taken it. */
export type Refusal = () => void;

/** Reads what one or several front ends have taken. */
export interface InputReader {
  /** Reads what looks for further files by itself. Done before what came through the standard input, and nobody asked for, is taken for an input. */
  begin?(): void;
  /** Whether it may yet ask for a file. */
  mayAsk?(file: string): boolean;
  /** @param before what the readers of the front ends before this one have read */
  read(before: readonly EksResource[]): FrontEndResult;
}

export interface FrontEndResult extends ReadResult {
  /** Resources that declare others which nothing here reads. @default - none */
  readonly notRead?: readonly NotRead[];
  /** Texts that turned out to be no inputs, for the front ends whose readers come later. @default - none */
  readonly refused?: readonly { readonly path: string; readonly text: string }[];
  /** Inputs that hold nothing that anybody looks at. They are listed where there is nothing else. @default - none */
  readonly passedBy?: readonly InputSummary[];
}

/** What the readers of one run share. */
export interface ReadingRun {
  readonly files: InputFiles;
  readonly given: GivenValues;
  readonly reading: Reading;
  /** Remembers a file or folder; false if it was read before, by this name or another. */
  isNew(path: string): boolean;
  /** Remembers what belongs to another input, so that it isn't read by itself. */
  claim(path: string): void;
  /** The text of a file that is an input; undefined if it can't be read, of which the user is told. */
  textOf(file: string, isNamed: boolean): string | undefined;
  tell(...diagnostics: readonly Diagnostic[]): void;
  /** Lists an input where it was found; what `summary` gives when all is read counts. */
  list(summary: () => InputSummary | undefined): void;
}

/** Values of parameters and variables. */
export interface GivenValues extends ParameterValues {
  /** Files with values of variables, for all root modules. @default - none */
  readonly varFiles?: readonly string[];
}
