import { Absent, alternativesOf, flatMapValue, Unknown, type Plain, type Source, type When } from '../../../value';
import { moduleDefault, moduleStatements, type ModuleStatement, type PolicyModule } from '../../../knowledge';
import { urlSuffixOf } from '../../../knowledge/partition';
import { asText, type TerraformItem, type TerraformValue } from '../../../terraform/terraform-value';
import type { Release } from '../../../terraform/module/version-constraint';
import { itemsOf, listOf, mapOf, withDefault, type Attributes } from './given';
import type { ModuleContext } from './module-context';

/**
 * What a policy of a module allows in the versions that may be chosen, as statements of `aws_iam_policy_document`: what all of them have, and what
 * isn't known beside it where they differ.
 * @param policy as the argument calls it that asks for it: `load_balancer_controller`
 * @returns undefined for a policy that the tables don't have
 */
function policyStatements(
  context: ModuleContext,
  module: PolicyModule,
  policy: string,
  place: Source,
): readonly TerraformValue[] | undefined {
  const [first, ...others] = context.versions.candidates.map((release) =>
    moduleStatements(module, policy, textOf(release)),
  );
  if (first === undefined || [first, ...others].some((statements) => statements.length === 0)) return undefined;
  const writer = new Writer(context, module, place);
  const common = others.reduce(inBoth, first);
  const differ = others.some((other) => textOfAll(other) !== textOfAll(first));
  const unclear = writer.unclear(context.differs(`the policy \`${policy}\``));
  return [...common.flatMap((statement) => writer.write(statement)), ...(differ ? [unclear] : [])];
}

function textOf(release: Release): string {
  return release.join('.');
}

/** The actions that two versions allow on the same terms. */
function inBoth(some: readonly ModuleStatement[], others: readonly ModuleStatement[]): readonly ModuleStatement[] {
  return some.flatMap((statement): readonly ModuleStatement[] => {
    const same = others.filter((other) => termsOf(other) === termsOf(statement)).flatMap(({ actions }) => actions);
    const actions = statement.actions.filter((action) => same.includes(action));
    return actions.length === 0 ? [] : [{ ...statement, actions }];
  });
}

function textOfAll(statements: readonly ModuleStatement[]): string {
  return JSON.stringify(statements.map((statement) => [statement.actions, termsOf(statement)]));
}

function termsOf({ resources, conditions, ifTrue, ifFilled, ifUnclear, each }: ModuleStatement): string {
  return JSON.stringify({ resources, conditions, ifTrue, ifFilled, ifUnclear, each });
}

/** A whole text that is one placeholder. */
const PLACEHOLDER = /^\$\{([^{}]+)\}$/;
const VARIABLE = /^var\.(\w+)$/;

/** Statements with what the call gives in place of the variables. */
class Writer {
  constructor(
    private readonly context: ModuleContext,
    private readonly module: PolicyModule,
    private readonly place: Source,
  ) {}

  /** A statement that may allow anything. */
  unclear(reason: string): TerraformValue {
    const unknown = this.context.unknown(reason, this.place);
    return mapOf(
      { actions: unknown, resources: listOf([this.context.fixed('*', this.place)], this.place) },
      this.place,
    );
  }

  write(statement: ModuleStatement): readonly TerraformValue[] {
    const { ifTrue, ifFilled, ifUnclear, each } = statement;
    if (ifUnclear !== undefined) return [this.unclear(`a statement that depends on ${ifUnclear} is not read`)];
    if (each !== undefined) {
      const list = this.variable(each);
      if (list.kind !== 'known') return list.kind === 'absent' ? [] : [this.unclear(`${each} is not known`)];
      return itemsOf(list).map((item) => this.one(statement, item));
    }
    const there = ifTrue ?? ifFilled;
    if (there === undefined) return [this.one(statement)];
    const value = this.variable(there);
    if (alternativesOf(value).every(({ value: plain }) => isOff(plain))) return [];
    return [
      flatMapValue(value, (plain): TerraformValue => {
        if (plain.kind === 'unknown') return new Unknown(plain.reason, plain.source);
        return isOff(plain) ? new Absent(this.place) : this.one(statement);
      }),
    ];
  }

  private one({ actions, resources, conditions }: ModuleStatement, item?: TerraformValue): TerraformValue {
    const { place, context } = this;
    const condition = (conditions ?? []).map(({ test, variable, values }) =>
      mapOf(
        { test: context.fixed(test, place), variable: this.text(variable, item), values: this.list(values, item) },
        place,
      ),
    );
    return mapOf(
      {
        effect: context.fixed('Allow', place),
        actions: this.list(actions, item),
        resources: this.list(resources, item),
        condition: condition.length === 0 ? undefined : listOf(condition, place),
      },
      place,
    );
  }

  private list(texts: string | readonly string[], item: TerraformValue | undefined): TerraformValue {
    if (typeof texts !== 'string')
      return listOf(
        texts.map((text) => this.text(text, item)),
        this.place,
      );
    const variable = VARIABLE.exec(PLACEHOLDER.exec(texts)?.[1] ?? '')?.[1];
    return variable === undefined ? this.context.unknown(`${texts} is not read`, this.place) : this.variable(variable);
  }

  private text(text: string, item: TerraformValue | undefined): TerraformValue {
    const whole = PLACEHOLDER.exec(text)?.[1];
    if (whole !== undefined) return this.placeholder(whole, item);
    const parts = text.split(/(\$\{[^{}]+\})/).filter((part) => part !== '');
    return this.context.text(
      parts.map((part): string | Plain<string> => {
        const name = PLACEHOLDER.exec(part)?.[1];
        if (name === undefined) return part;
        const value = asText(this.placeholder(name, item));
        return value.kind === 'choice' ? this.context.unknown('it depends on conditions', this.place) : value;
      }),
      this.place,
    );
  }

  private placeholder(name: string, item: TerraformValue | undefined): TerraformValue {
    const { context, place } = this;
    if (name === 'partition') return context.partition;
    if (name === 'dnsSuffix') {
      const { region } = context.call;
      return region === undefined
        ? context.unknown('the region is not known', place)
        : context.fixed(urlSuffixOf(region));
    }
    if (name === 'statement.value' && item !== undefined) return item;
    const variable = VARIABLE.exec(name)?.[1];
    return variable === undefined ? context.unknown(`\${${name}} is not read`, place) : this.variable(variable);
  }

  /** What the call gives for a variable, or its default. */
  private variable(name: string): TerraformValue {
    const { context, module, place } = this;
    return withDefault(
      context.given.item(name),
      context.inEach(
        name,
        (release): TerraformValue => {
          const value = moduleDefault(module, name, textOf(release));
          if (value === undefined) return new Absent(place);
          return typeof value === 'object'
            ? listOf(
                value.map((one) => context.standard(one, place)),
                place,
              )
            : context.standard(value, place);
        },
        place,
      ),
    );
  }
}

/** Whether what a statement depends on isn't there: false, nothing, or a list without items. */
function isOff(plain: Plain<TerraformItem>): boolean {
  return (
    plain.kind === 'absent' ||
    (plain.kind === 'known' &&
      (plain.value === false || (typeof plain.value === 'object' && itemsOf(plain).length === 0)))
  );
}

/**
 * A policy that an argument of the call asks for, as resources of the module.
 * @param address of the policy: `aws_iam_policy.external_dns[0]`
 * @param documents whole documents that the call adds
 * @returns its ARN, for an attachment
 */
export function modulePolicy(
  context: ModuleContext,
  module: PolicyModule,
  policy: string,
  {
    address,
    place,
    exists,
    documents = {},
    more = [],
  }: {
    readonly address: string;
    readonly place: Source;
    readonly exists: When;
    readonly documents?: Attributes;
    readonly more?: readonly TerraformValue[];
  },
): TerraformValue {
  // What the call alone says.
  const statements = policy === 'custom' ? [] : policyStatements(context, module, policy, place);
  if (statements === undefined) return context.unknown(`the policy \`${policy}\` is not read`, place);
  const document = context.declare(
    address.replace(
      /aws_iam_policy\.(\w+)(\[.*\])$/,
      (_, label: string, index: string) => `data.aws_iam_policy_document.${label === 'this' ? policy : label}${index}`,
    ),
    { ...documents, statement: listOf([...more, ...statements], place) },
    place,
    exists,
  );
  const made = context.declare(address, { policy: context.reference(document, 'json', place) }, place, exists);
  return context.reference(made, 'arn', place);
}
