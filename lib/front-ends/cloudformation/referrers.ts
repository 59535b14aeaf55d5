import { Cursor, isMap } from '../../cloudformation/cursor';
import type { Resource } from '../../value';

/** What of a template names one of its resources: resources by their ids, and outputs. */
export function referrersOf({ source }: Resource, id: string): readonly string[] {
  const root = source instanceof Cursor ? source.template.root.raw : undefined;
  if (!isMap(root)) return [];
  let index = byTemplate.get(root);
  if (index === undefined) byTemplate.set(root, (index = indexOf(root)));
  return (index.get(id) ?? []).filter((name) => name !== id);
}

/** Of many groups each may ask. */
const byTemplate = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

function indexOf(root: object): ReadonlyMap<string, readonly string[]> {
  const { Resources: resources, Outputs: outputs } = root as Readonly<Record<string, unknown>>;
  const index = new Map<string, string[]>();
  const add = (section: unknown, shown: (name: string) => string): void => {
    if (!isMap(section)) return;
    for (const [name, one] of Object.entries(section))
      for (const id of new Set(namedIn(one))) {
        const known = index.get(id);
        if (known === undefined) index.set(id, [shown(name)]);
        else known.push(shown(name));
      }
  };
  add(resources, (name) => name);
  add(outputs, (name) => `output ${name}`);
  return index;
}

/** The names of resources in a part of a template, and of parameters. */
function* namedIn(raw: unknown): Generator<string> {
  if (Array.isArray(raw)) for (const item of raw) yield* namedIn(item);
  if (!isMap(raw)) return;
  for (const [key, value] of Object.entries(raw)) {
    yield* NAMING.get(key)?.(value) ?? [];
    yield* namedIn(value);
  }
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((one): one is string => typeof one === 'string');
}

/** Of a function with further arguments. */
function firstText(value: unknown): readonly string[] {
  return textsOf(value).slice(0, 1);
}

/** Attributes and functions that name a resource. */
const NAMING: ReadonlyMap<string, (value: unknown) => readonly string[]> = new Map([
  ['DependsOn', textsOf],
  ['Ref', textsOf],
  ['Fn::GetAtt', (value) => firstText(value).map((text) => text.replace(/\..*/, ''))],
  [
    'Fn::Sub',
    (value) =>
      firstText(value).flatMap((text) => Array.from(text.matchAll(/\$\{([^!}.][^}.]*)[.}]/g), ([, name = '']) => name)),
  ],
]);
