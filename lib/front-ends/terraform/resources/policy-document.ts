import type { PolicyDocument } from '../../../eks';
import { cases, flatMapValue, Known, type Plain, Unknown, type Value, type When } from '../../../value';
import { parseEmbedded } from '../../../value/embedded-text';
import {
  PolicyDocumentReader,
  type IdentifiedStatement,
  type PolicyEntry,
  type PolicyValues,
} from '../../parts/policy-document';
import {
  asText,
  entryOf,
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../../terraform/terraform-value';
import { valueOf } from './data';
import { DocumentDataSources } from './policy-document-data';
import type { Registry } from './registry';

/** Reads IAM policy documents: JSON texts, and those of `aws_iam_policy_document` before there is a text. */
export class PolicyReader {
  private readonly reader: PolicyDocumentReader<TerraformItem>;
  private readonly sources: DocumentDataSources;

  constructor(private readonly registry: Registry) {
    this.reader = new PolicyDocumentReader(new PolicyItems());
    this.sources = new DocumentDataSources(registry, (value, depth) => this.statements(value, depth));
  }

  /** @param raw the attribute, its references to instances not yet resolved */
  document(raw: TerraformValue): Value<PolicyDocument> {
    return flatMapValue(
      this.statements(raw, 0),
      (plain): Plain<PolicyDocument> =>
        plain.kind === 'known'
          ? new Known({ statements: plain.value.map(({ statement }) => statement) }, plain.source)
          : plain,
    );
  }

  private statements(raw: TerraformValue, depth: number): Value<readonly IdentifiedStatement[]> {
    return flatMapValue(raw, (plain): Value<readonly IdentifiedStatement[]> => {
      const reference = this.registry.referenced(plain);
      const own = reference === undefined ? undefined : this.sources.statements(reference, depth);
      return own ?? this.reader.statements(this.registry.link(plain));
    });
  }
}

const readers = new WeakMap<Registry, PolicyReader>();

export function policyReader(registry: Registry): PolicyReader {
  let reader = readers.get(registry);
  if (reader === undefined) readers.set(registry, (reader = new PolicyReader(registry)));
  return reader;
}

class PolicyItems implements PolicyValues<TerraformItem> {
  readonly text = asText;

  isMap({ value }: Known<TerraformItem>): boolean {
    return value instanceof TerraformMap;
  }

  entry(map: Known<TerraformItem>, key: string): TerraformValue {
    return entryOf(map, key);
  }

  entries({ value, source }: Known<TerraformItem>): readonly PolicyEntry<TerraformItem>[] {
    return value instanceof TerraformMap
      ? [...value.entries].map(([key, entry]) => ({ key, value: entry, source }))
      : [];
  }

  items({ value, source, note }: Known<TerraformItem>): Value<readonly TerraformValue[]> | undefined {
    return value instanceof TerraformList ? new Known(value.items, source, note) : undefined;
  }

  parsed(plain: Known<TerraformItem> | Unknown): TerraformValue {
    if (plain.kind === 'known' && typeof plain.value !== 'string') return plain;
    const parsed = parseEmbedded(plain as Known<string> | Unknown);
    if (parsed.kind === 'unknown') return parsed.unknown;
    return parsed.kind === 'parsed'
      ? valueOf(parsed.data, plain.source)
      : new Unknown('it is a text that is no policy document', plain.source);
  }

  combine(values: readonly TerraformValue[]): readonly { when: When; values: readonly Plain<TerraformItem>[] }[] {
    return combinations(values);
  }
}

/** All combinations of alternatives that can occur together. */
function combinations<T>(
  values: readonly Value<T>[],
): readonly { readonly when: When; readonly values: readonly Plain<T>[] }[] {
  return cases(Object.fromEntries(values.map((value, index) => [String(index), value]))).map((one) => ({
    when: one.when,
    values: Object.values(one.values),
  }));
}
