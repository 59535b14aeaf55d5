/** The syntax of Terraform, from HCL and from its JSON form. Offsets count UTF-16 code units in the file's text. */

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Attributes and blocks between braces, or of a whole file. */
export interface Body {
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly Block[];
  readonly range: Range;
}

export interface Attribute {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: Expression;
}

/** `resource "aws_eks_cluster" "main" { … }`. */
export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  /** Of the type and the labels. */
  readonly headRange: Range;
  readonly body: Body;
}

export type Expression = (
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  /** A quoted text or heredoc with interpolations or directives; one that is a single interpolation gives its value as it is. */
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }
  /** The first word of a reference: `var`, `local`, `aws_eks_cluster`, `each`, or the variable of a `for`. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'attribute'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly of: Expression; readonly key: Expression }
  /** `of[*].a.b` and `of.*.a`: the rest is taken of each item. */
  | { readonly kind: 'splat'; readonly of: Expression; readonly rest: readonly SplatStep[] }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      readonly expandsLast: boolean;
    }
  | { readonly kind: 'conditional'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'tuple'; readonly items: readonly Expression[] }
  | { readonly kind: 'object'; readonly entries: readonly ObjectEntry[] }
  | ForExpression
  /** What can't be parsed; a diagnostic says why. */
  | { readonly kind: 'invalid'; readonly text: string }
) & { readonly range: Range };

export type BinaryOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '&&' | '||' | '+' | '-' | '*' | '/' | '%';

/** One step behind a splat. A splat in it is of what the steps before it give: `a[*].b[*].c` is a list of lists; steps behind a `.*` of it are of that whole list. */
export type SplatStep =
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'index'; readonly key: Expression }
  | { readonly kind: 'splat'; readonly rest: readonly SplatStep[] };

export interface ObjectEntry {
  /** A bare word is a literal; in parentheses it is an expression. */
  readonly key: Expression;
  readonly value: Expression;
}

export interface ForExpression {
  readonly kind: 'for';
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly in: Expression;
  /** Of an object; undefined for a tuple. */
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly condition: Expression | undefined;
  /** `...` behind the value: values of equal keys are collected. */
  readonly groups: boolean;
}

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string; readonly range: Range }
  | { readonly kind: 'interpolation'; readonly value: Expression }
  | {
      readonly kind: 'if';
      readonly test: Expression;
      readonly yes: readonly TemplatePart[];
      readonly no: readonly TemplatePart[];
    }
  | {
      readonly kind: 'for';
      readonly keyName: string | undefined;
      readonly valueName: string;
      readonly in: Expression;
      readonly parts: readonly TemplatePart[];
    };

/** What is wrong with a text, and where. */
export interface SyntaxProblem {
  readonly message: string;
  readonly offset: number;
}
