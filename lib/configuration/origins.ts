import type { ParsedDocument } from '../languages';
import { isMap, propertyText, type ValuePath } from '../text/shape';
import type { ConfigurationFileContent } from './content';

/** Where settings stand (`FILE:LINE:COLUMN`; a program has no lines), by their names as messages write them: `rules.imds-v1.level`. */
export type Origins = ReadonlyMap<string, string>;

/** A list whose items are joined with those of other files. */
const VAR_FILES = 'terraform.varFiles';

/** Where the settings of one file stand. Ignores know it themselves, and custom rules have modules. */
export function originsOf(content: ConfigurationFileContent, file: string, document?: ParsedDocument): Origins {
  const place = (path: ValuePath): string => {
    const at = document?.locate(path);
    return at === undefined ? file : `${file}:${at.line}:${at.column}`;
  };
  return new Map(settingsOf(content).map(({ name = [], path }) => [propertyText([...path, ...name]), place(path)]));
}

interface Setting {
  readonly path: ValuePath;
  /** What a short form leaves out of the path. */
  readonly name?: ValuePath;
}

function settingsOf({
  preset,
  failOn,
  asOf,
  knowledge,
  rules = {},
  parameters = {},
  terraform,
}: ConfigurationFileContent): Setting[] {
  const single = Object.entries({ preset, failOn, asOf, knowledge }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: [name] }],
  );
  const ofRules = Object.entries(rules).flatMap(([id, setting]): Setting[] => {
    const path = ['rules', id];
    if (typeof setting === 'string') return [{ path, name: ['level'] }];
    return [
      ...(setting.level === undefined ? [] : [{ path: [...path, 'level'] }]),
      ...under([...path, 'options'], setting.options),
    ];
  });
  return [
    ...single,
    ...ofRules,
    ...under(['parameters', 'cloudformation'], parameters.cloudformation),
    ...Object.entries(parameters.stacks ?? {}).flatMap(([stack, values]) =>
      under(['parameters', 'stacks', stack], values),
    ),
    ...under(['parameters', 'terraform'], parameters.terraform),
    ...(terraform?.varFiles ?? []).map((_, index) => ({ path: ['terraform', 'varFiles', index] })),
  ];
}

function under(path: ValuePath, values: unknown): Setting[] {
  return isMap(values) ? Object.keys(values).map((key) => ({ path: [...path, key] })) : [];
}

/** Where settings stand after those of `over` have won over the others, and lists are joined. */
export function joinedOrigins(base: Origins, over: Origins): Origins {
  const joined = new Map(base);
  const before = [...base.keys()].filter((name) => name.startsWith(VAR_FILES)).length;
  let files = 0;
  for (const [name, place] of over)
    joined.set(name.startsWith(VAR_FILES) ? `${VAR_FILES}[${before + files++}]` : name, place);
  return joined;
}
