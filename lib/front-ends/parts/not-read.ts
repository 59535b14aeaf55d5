import type { Diagnostic, Skipped, Source, SourceLocation } from '../../value';

/** A resource that declares others which nothing here reads. */
export interface NotRead {
  readonly kind: 'resource' | 'module' | 'nested stack' | 'stack set' | 'CloudFormation stack';
  /** What it is called, with what it is known by. */
  readonly name: string;
  readonly source: Source;
}

/** A line names no more than this. */
const MOST_NAMES = 5;

/** One line for each kind and file, at the first of them. Those of one place are instances of one. */
export function tellNotRead(all: readonly NotRead[]): readonly Diagnostic[] {
  const groups = new Map<string, Map<string, { readonly name: string; readonly place: SourceLocation }>>();
  for (const { kind, name, source } of all) {
    const place = source.locate();
    const key = `${kind}\n${place.file}`;
    const group = groups.get(key) ?? new Map<string, { readonly name: string; readonly place: SourceLocation }>();
    groups.set(key, group);
    const at = `${place.line}:${place.column}`;
    if (!group.has(at)) group.set(at, { name, place });
  }
  return [...groups].flatMap(([key, group]): readonly Diagnostic[] => {
    const [kind = ''] = key.split('\n');
    const members = [...group.values()];
    const [first] = members;
    if (first === undefined) return [];
    const { file, line, column } = first.place;
    const names = members.slice(0, MOST_NAMES).map(({ name }) => name);
    const more = members.length > MOST_NAMES ? ` and ${members.length - MOST_NAMES} more` : '';
    const message =
      members.length === 1
        ? `${kind} ${first.name} isn't read, so what it declares isn't checked`
        : `${kind}s aren't read, so what they declare isn't checked: ${names.join(', ')}${more}`;
    return [
      {
        severity: 'warning',
        message,
        file,
        line,
        column,
        skipped: { what: SKIPPED[kind as NotRead['kind']], count: members.length },
      },
    ];
  });
}

const SKIPPED: Readonly<Record<NotRead['kind'], Skipped['what']>> = {
  resource: 'resource',
  module: 'resource',
  'nested stack': 'stack',
  'stack set': 'stack',
  'CloudFormation stack': 'stack',
};
