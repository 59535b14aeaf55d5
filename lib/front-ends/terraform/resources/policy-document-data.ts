import type { PolicyCondition, PolicyStatement, Principal, UnreadableConditions } from '../../../eks';
import {
  Absent,
  type Alternative,
  alternativesOf,
  cases,
  choose,
  flatMapValue,
  Known,
  mapValue,
  type Plain,
  sourceOf,
  textOf,
  Unknown,
  type Value,
} from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { principalOf, unreadableConditions, type IdentifiedStatement } from '../../parts/policy-document';
import type { TerraformInstance } from '../../../terraform/instance';
import { InvalidValue } from '../../../terraform/evaluation/unknowns';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import { LinkedBlock } from './linked-block';
import type { Registry } from './registry';

type Statements = readonly IdentifiedStatement[];

/** Documents that lead to others more often than this lead in a circle. */
const MOST_STEPS = 20;

/**
 * The documents of `aws_iam_policy_document`, made of its blocks and of other documents. Source: hashicorp/terraform-provider-aws,
 * website/docs/d/iam_policy_document.html.markdown.
 */
export class DocumentDataSources {
  private readonly memo = new Map<TerraformInstance, Value<Statements>>();

  constructor(
    private readonly registry: Registry,
    /** The statements of a text that is given to a document. */
    private readonly read: (value: TerraformValue, depth: number) => Value<Statements>,
  ) {}

  /** Undefined if the reference is to something else. */
  statements(
    { instance, attribute }: { readonly instance: TerraformInstance; readonly attribute: string },
    depth: number,
  ): Value<Statements> | undefined {
    if (
      instance.mode !== 'data' ||
      instance.type !== 'aws_iam_policy_document' ||
      (attribute !== 'json' && attribute !== 'minified_json')
    )
      return undefined;
    if (depth > MOST_STEPS) return new Unknown('it refers to itself', instance.source);
    let found = this.memo.get(instance);
    if (found === undefined)
      this.memo.set(
        instance,
        (found = this.merged(new LinkedBlock(instance.attributes, this.registry), instance, depth)),
      );
    return found;
  }

  private merged(block: LinkedBlock, { source, address }: TerraformInstance, depth: number): Value<Statements> {
    if (block.value.kind === 'unknown') return block.value;
    const documents = [
      ...this.documents(block, ['source_json'], ['source_policy_documents'], depth),
      ownStatements(block),
      ...this.documents(block, ['override_json'], ['override_policy_documents'], depth),
    ];
    const combined = cases(Object.fromEntries(documents.map((document, index) => [String(index), document])));
    return choose(
      combined.map(({ when, values }): Alternative<Statements> => {
        let all: Statements = [];
        for (const document of Object.values(values)) {
          if (document.kind === 'absent') continue;
          if (document.kind === 'unknown') return { when, value: document };
          const next = withOverrides(all, document.value);
          if (next === undefined)
            return { when, value: new Unknown(`the ids of the statements of ${address} aren't known`, source) };
          all = next;
        }
        return { when, value: new Known(all, source) };
      }),
    );
  }

  private documents(
    block: LinkedBlock,
    single: readonly string[],
    lists: readonly string[],
    depth: number,
  ): readonly Value<Statements>[] {
    const texts = [
      ...single.map((key) => block.raw(key)),
      ...lists.flatMap((key) => conditionalItems(block.rawList(key))),
    ];
    return texts.map((text) =>
      flatMapValue(
        text,
        (plain): Value<Statements> =>
          plain.kind === 'absent' || (plain.kind === 'known' && plain.value === '')
            ? new Absent(plain.source)
            : this.read(plain, depth + 1),
      ),
    );
  }
}

/** Statements with those of a later document, which replace those of the same id; undefined if that can't be told. */
function withOverrides(before: Statements, later: Statements): Statements | undefined {
  if (before.length === 0) return later;
  const result = [...before];
  for (const one of later) {
    if (one.id.kind === 'unknown' || one.id.kind === 'choice') return undefined;
    const id = one.id.kind === 'known' ? one.id.value : '';
    const index = id === '' ? -1 : result.findIndex((other) => other.id.kind === 'known' && other.id.value === id);
    if (index === -1) result.push(one);
    else result[index] = one;
  }
  return result;
}

function ownStatements(block: LinkedBlock): Value<Statements> {
  return flatMapValue(block.blocks('statement'), (list): Value<Statements> => {
    if (list.kind !== 'known') return list;
    const rows = cases(Object.fromEntries(list.value.map((statement, index) => [String(index), statement.value])));
    return choose(
      rows.map(({ when, values }): Alternative<Statements> => {
        const statements: IdentifiedStatement[] = [];
        for (const value of Object.values(values)) {
          if (value.kind === 'unknown')
            return { when, value: new Unknown(`one of its statements can't be read: ${value.reason}`, value.source) };
          if (value.kind === 'known') statements.push(statementOf(new LinkedBlock(value, block.registry)));
        }
        return { when, value: new Known(statements, list.source) };
      }),
    );
  });
}

function statementOf(block: LinkedBlock): IdentifiedStatement {
  const effect = flatMapValue(
    block.text('effect'),
    (plain): Plain<string> => (plain.kind === 'absent' ? new Known('Allow', plain.source) : plain),
  );
  const statement: PolicyStatement = {
    effect,
    actions: texts(block, 'actions'),
    notActions: texts(block, 'not_actions'),
    resources: texts(block, 'resources').map(withVariables),
    notResources: texts(block, 'not_resources').map(withVariables),
    principals: principals(block),
    conditions: conditions(block),
    source: sourceOf(block.value),
  };
  return { id: block.text('sid'), statement };
}

function texts(block: LinkedBlock, key: string): readonly Value<string>[] {
  return conditionalItems(block.list(key)).map(asText);
}

/** Variables of IAM are written `&{aws:username}`, as Terraform would take `${…}` for its own. */
function withVariables(value: Value<string>): Value<string> {
  return mapValue(value, (text) => text.replaceAll('&{', '${'));
}

function principals(block: LinkedBlock): readonly Principal[] {
  return block.allBlocks('principals').flatMap((one) => {
    const type = one.string('type');
    if (type.kind !== 'known')
      return type.kind === 'absent'
        ? []
        : [
            {
              type: 'AWS',
              id: type.kind === 'unknown' ? type : new Unknown('its type depends on conditions', sourceOf(type)),
            },
          ];
    const ids = texts(one, 'identifiers').map(withVariables);
    // `type = "*"` stands for everybody, whatever the identifiers.
    return ids.map((id) => principalOf(type.value, id));
  });
}

/** The key of a condition; of several that it may be, what all of them end with, which is the claim of a token: `${…}:sub`. */
function keyOf(variable: Value<string>): string | undefined {
  // Terraform refuses null, and a template with null in it.
  const keys = alternativesOf(variable).flatMap(({ value }) =>
    value.kind === 'absent' || value instanceof InvalidValue ? [] : [textOf(value)],
  );
  const [first] = keys;
  if (first === undefined || keys.every((key) => key === first)) return first;
  const claim = /:[a-z]+$/.exec(first)?.[0];
  return claim !== undefined && keys.every((key) => key?.endsWith(claim) === true) ? `\${…}${claim}` : undefined;
}

/**
 * The provider puts the values of blocks with the same test and variable into one list, any of which suffices. Source:
 * hashicorp/terraform-provider-aws, internal/service/iam/policy_model.go, and issue 33068: until August 2023 one of them was lost, and it was not told which.
 */
function conditions(block: LinkedBlock): readonly PolicyCondition[] | UnreadableConditions {
  const list = block.blocks('condition');
  if (list.kind === 'absent') return [];
  if (list.kind !== 'known') return unreadableConditions(list);
  const result = new Map<string, PolicyCondition>();
  for (const condition of list.value) {
    const { value } = condition;
    if (value.kind === 'absent') continue;
    if (value.kind !== 'known') return unreadableConditions(value);
    const [test, variable] = [condition.string('test'), condition.string('variable')];
    if (test.kind !== 'known') return unreadableConditions(test);
    const key = keyOf(variable);
    if (key === undefined) return unreadableConditions(variable);
    // Keys of which only the end is known may differ.
    const name = JSON.stringify([test.value, key, ...(variable.kind === 'choice' ? [result.size] : [])]);
    const same = result.get(name);
    result.set(name, {
      operator: test.value,
      key: key.replaceAll('&{', '${'),
      values: [...(same?.values ?? []), ...texts(condition, 'values').map(withVariables)],
      source: same?.source ?? value.source,
    });
  }
  return [...result.values()];
}
