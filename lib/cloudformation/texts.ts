import { choose, Known, type Plain, type Source, Unknown, type Value } from '../value';
import { compose } from '../value/composed-text';
import type { TemplateSet } from './template-set';
import { combine, SsmParameterValue } from './unknown-values';

/** Joins parts in each case in which they differ. */
export function composeAll(parts: readonly Value<string>[], source: Source, set: TemplateSet): Value<string> {
  const rows = combine(parts);
  if (rows === undefined) return tooManyConditions(source);
  return choose(rows.map(({ when, values }) => ({ when, value: composeText(values, source, set) })));
}

/** Joins parts; within a longer text the name of a resource says more than a reference to it. */
export function composeText(parts: readonly Plain<string>[], source: Source, set: TemplateSet): Plain<string> {
  const written = parts.filter((part) => part.kind !== 'absent' && !(part.kind === 'known' && part.value === ''));
  const text = compose(written.length > 1 ? written.map((part) => withName(part, set)) : written, source);
  return text.kind === 'known' && text.value.includes('{{resolve:')
    ? dynamicReference(text.value, text.source, text)
    : text;
}

/** The name that `Ref` of a resource stands for, where it is written down. */
function withName(part: Plain<string>, { nameByRef }: TemplateSet): Plain<string> {
  if (part.kind !== 'unknown' || part.reference?.attribute !== 'Ref') return part;
  const name = nameByRef(part.reference.resource);
  return name?.kind === 'known' ? new Known(name.value, part.source, name.note) : part;
}

export function tooManyConditions(source: Source): Unknown {
  return new Unknown('it depends on too many conditions at once', source);
}

const DYNAMIC_REFERENCE = /\{\{resolve:([^{}]*)\}\}/g;

/**
 * Text with `{{resolve:…}}` in it; CloudFormation puts the value there at deployment.
 * @param named the text as it is put together
 */
export function dynamicReference(raw: string, source: Source, named?: Plain<string>): Plain<string> {
  const parts: Plain<string>[] = [];
  let end = 0;
  for (const match of raw.matchAll(DYNAMIC_REFERENCE)) {
    const path = /^ssm:([^:]+)(?::\d+)?$/.exec(match[1] ?? '')?.[1];
    parts.push(new Known(raw.slice(end, match.index), source));
    parts.push(
      path === undefined
        ? new Unknown('it is resolved at deployment', source, match[0], match[0])
        : new SsmParameterValue(path, source, named),
    );
    end = match.index + match[0].length;
  }
  parts.push(new Known(raw.slice(end), source));
  return compose(parts, source);
}
