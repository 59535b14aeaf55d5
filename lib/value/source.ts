/** Where something stands in what the user wrote. */
export interface SourceLocation {
  /** Path of the file as the user gave it, or relative to the working directory. */
  readonly file: string;
  /** 1-based line. */
  readonly line: number;
  /** 1-based column, counted in UTF-16 code units. */
  readonly column: number;
  /** Property path below the resource, for example `Properties.LaunchTemplateData.MetadataOptions`. */
  readonly property?: string;
}

/**
 * A place in an input. Lines and columns are computed only when a finding is printed, because
 * nearly all values of a large template are read and never reported.
 */
export interface Source {
  locate(): SourceLocation;
  /** The place of a character of the text that stands here, where that can be told. */
  inText?(text: string, offset: number): Source;
  /** The value as it is written here where that is no literal: a reference such as `var.key_name` or `!Ref KeyName`. @default - it is a literal, or something longer */
  readonly expression?: string | undefined;
  /** In a text: the reference whose value this is one of several pieces of, the same object for all of them. @default - it is no such piece */
  readonly pieceOf?: { readonly expression: string } | undefined;
  /** The expression behind the name of a setting, where both stand in one line. @default - it is longer, or that can't be told */
  readonly wholeExpression?: string | undefined;
  /** The one line of what stands here that has something, as it is written; undefined where several or none have it. */
  lineWith?(pattern: RegExp | string): WrittenLine | undefined;
  /** A text of YAML stands here, which the value is read from. @default - the value stands here itself */
  readonly isOfYaml?: true;
  /** Where the value that is used here is decided, if that is elsewhere: "local.hop_limit", "default of variable hop_limit". */
  readonly from?: string;
  /** What decides it, as in `from` or for a template `default of parameter Version`, and where the value stands there. @default - it stands here, or that can't be told */
  readonly decided?: Decided | undefined;
  /** Whether nobody wrote the value down in the user's own code, and a module of somebody else takes it by default. A plan can leave that open. @default - no */
  readonly isModuleDefault?: 'yes' | 'maybe' | undefined;
  /**
   * In a plan of something that exists: the value is what AWS answers, and the configuration doesn't write it (`surely`), or the plan doesn't
   * tell whether it does (`perhaps`). @default - it is written
   */
  readonly readBack?: 'surely' | 'perhaps' | undefined;
}

/** A line of a file. */
export interface WrittenLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

export interface Decided {
  readonly by: string;
  readonly at: Source;
  /** What the value is called there, in a map or file; undefined where it is an item of a list. */
  readonly key?: string | undefined;
  /** What else of the input says which values it takes in the place of this one. @default - nothing */
  checks?: ValueCheck[];
}

/** What says which values it takes: the validation of a variable, or the allowed values of a parameter. */
export interface ValueCheck {
  /** `the validation of variable kubernetes_version` */
  readonly by: string;
  readonly at: Source;
  /** The value that it has been asked about, as text: another one than is used in the end was made into something else on the way. */
  readonly text: string;
  /** What the user is told whose value is refused. @default - nothing of the user's own */
  readonly message?: string | undefined;
  /** Undefined if that can't be told. */
  accepts(text: string): boolean | undefined;
}

/** The same place, for a value that stands elsewhere. What decides that first is where it is changed. */
export function decidedAt(source: Source, decided: Decided | undefined): Source {
  if (decided === undefined) return source;
  const copy = copyOf(source);
  copy.decided ??= decided;
  return copy;
}

/** The same place, for a value that is decided elsewhere. */
export function decidedBy(source: Source, from: string | undefined): Source {
  if (from === undefined || source.from !== undefined) return source;
  const copy = copyOf(source);
  copy.from = from;
  return copy;
}

/** The same place, for a value that a module of somebody else takes by default. */
export function byModule(source: Source, isModuleDefault: 'yes' | 'maybe'): Source {
  const copy = copyOf(source);
  copy.isModuleDefault = isModuleDefault;
  return copy;
}

/** The same place, for a value that is written as a reference. */
export function writtenAs(source: Source, expression: string): Source {
  const copy = copyOf(source);
  copy.expression = expression;
  return copy;
}

type Changing = { -readonly [K in keyof Source]: Source[K] };

/** One of these is made for most values of Terraform. To put an object with a getter together takes several times as long as one of a class. */
class SamePlace implements Changing {
  expression: Source['expression'];
  declare isOfYaml?: true;
  declare from?: string;
  decided: Source['decided'];
  isModuleDefault: Source['isModuleDefault'];

  constructor(protected readonly place: Source) {
    const { from, isModuleDefault, isOfYaml, expression, decided } = place;
    this.expression = expression;
    this.decided = decided;
    this.isModuleDefault = isModuleDefault;
    if (isOfYaml !== undefined) this.isOfYaml = isOfYaml;
    if (from !== undefined) this.from = from;
  }

  locate(): SourceLocation {
    return this.place.locate();
  }

  /** It takes a parser, and few are asked for it. */
  get wholeExpression(): string | undefined {
    return this.place.wholeExpression;
  }

  lineWith(pattern: RegExp | string): WrittenLine | undefined {
    return this.place.lineWith?.(pattern);
  }
}

class SameText extends SamePlace {
  inText(text: string, offset: number): Source {
    return this.place.inText?.(text, offset) ?? this.place;
  }
}

function copyOf(source: Source): Changing {
  return source.inText === undefined ? new SamePlace(source) : new SameText(source);
}

/** A source for values that no file holds, such as those that a test or a rule makes up. */
export const nowhere: Source = { locate: () => ({ file: '', line: 1, column: 1 }) };
