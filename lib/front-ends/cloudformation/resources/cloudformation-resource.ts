import type { Environment } from '../../../eks';
import {
  always,
  type Dialect,
  type Resource,
  type Source,
  type SourceLocation,
  type Suppression,
  type When,
} from '../../../value';
import { Block } from '../../../cloudformation/block';
import { oddKey, untilOf } from '../../parts/decision-keys';
import { Cursor, isMap, member } from '../../../cloudformation/cursor';
import type { Evaluator } from '../../../cloudformation/evaluator';
import type { Template } from '../../../cloudformation/template';
import { isOfOtherLanguage } from '../app-language';
import { AWS_CDK, AWS_CDK_IN_OTHER_LANGUAGE, CLOUDFORMATION } from '../dialects';
import { SUPPRESSION_KEYS } from './shapes';

const NONE: readonly Suppression[] = [];

/** A resource of a template. Properties are read when asked for: most of a large template is never asked for twice. */
export abstract class CloudFormationResource implements Resource {
  constructor(
    protected readonly template: Template,
    readonly id: string,
    protected readonly raw: Readonly<Record<string, unknown>>,
    readonly type: string,
  ) {}

  get stack(): string {
    return this.template.stack;
  }

  get frontEnd(): Dialect['name'] {
    return this.dialect.name;
  }

  get dialect(): Dialect {
    if (!this.template.isOfCdk) return CLOUDFORMATION;
    return isOfOtherLanguage(this.template, this.createdAt) ? AWS_CDK_IN_OTHER_LANGUAGE : AWS_CDK;
  }

  get source(): Source {
    return this.cursor;
  }

  get createdAt(): SourceLocation | undefined {
    const { path, template } = this;
    return path === undefined ? undefined : template.input.assembly?.createdAt?.(path);
  }

  /** Where its stack is deployed to. */
  get environment(): Environment {
    const { region, partition } = this.template;
    return { region, partition };
  }

  get path(): string | undefined {
    return constructPath(this.template, this.id, this.raw);
  }

  /** Resources whose condition can't hold are not read at all. */
  get exists(): When {
    const { raw, template } = this;
    // Nearly every resource, and every rule asks.
    if (raw.Condition === undefined && template.parent === undefined) return always;
    return template.existence(this.id) ?? always;
  }

  get suppressions(): readonly Suppression[] {
    const own = member(member(this.raw, 'Metadata'), 'eks-guardrails');
    const acknowledged = this.template.acknowledgements?.of(this.path, this.cursor) ?? NONE;
    if (own === undefined) return acknowledged;
    this.ownSuppressions ??= readSuppressions(this.cursor.child('Metadata').child('eks-guardrails').child('suppress'));
    return acknowledged.length === 0 ? this.ownSuppressions : [...this.ownSuppressions, ...acknowledged];
  }

  // Declared only: a field with an initial value would cost every resource of a template, and most are never asked.
  declare private ownSuppressions: readonly Suppression[] | undefined;

  protected get cursor(): Cursor {
    return new Cursor(this.template, this.raw, this.template.section('Resources') ?? this.template.root, this.id);
  }

  protected get evaluator(): Evaluator {
    return this.template.set.evaluator;
  }

  /** Kept, because every rule that looks at the resource comes through here. */
  protected get properties(): Block {
    return (this.propertiesMemo ??= Block.at(this.cursor, this.evaluator).block('Properties'));
  }

  declare private propertiesMemo: Block | undefined;
}

function constructPath(template: Template, id: string, raw: unknown): string | undefined {
  const path = member(member(raw, 'Metadata'), 'aws:cdk:path');
  return typeof path === 'string' ? path : template.input.assembly?.constructPaths.get(id);
}

function readSuppressions(list: Cursor): readonly Suppression[] {
  if (!Array.isArray(list.raw)) return NONE;
  return list.raw.flatMap((raw: unknown, index): Suppression[] => {
    if (!isMap(raw) || oddKey(raw, SUPPRESSION_KEYS) !== undefined) return [];
    const { rule, reason, until } = raw;
    if (typeof rule !== 'string') return [];
    return [
      {
        rule,
        reason: typeof reason === 'string' ? reason : undefined,
        ...untilOf(until),
        source: list.child(index),
      },
    ];
  });
}
