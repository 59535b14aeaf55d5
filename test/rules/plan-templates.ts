import { parse } from 'yaml';

/** A resource of a plan: what it is now, and what becomes of it. */
interface PlannedResource {
  /** Its attributes now; missing for one that is about to be created. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** The attributes that change; null for one that goes. The others stay. */
  readonly after?: Readonly<Record<string, unknown>>;
  /** Attributes that are known only after apply: `computed` for one that nobody writes, a reference for any other. */
  readonly unknown?: Readonly<Record<string, string>>;
  /** Attributes that are sensitive. */
  readonly sensitive?: readonly string[];
  /** Attributes of `before` that nobody writes: AWS answers them. */
  readonly answered?: readonly string[];
  /** Attributes with values that are known and that expressions give, with what those refer to. */
  readonly given?: Readonly<Record<string, readonly string[]>>;
  /** @default - as `before`, `after` and `replace` tell */
  readonly actions?: readonly string[];
  /** Paths that force a replacement: `[[ami_type]]`. */
  readonly replace?: readonly (readonly (string | number)[])[];
  /** A replacement that is created before the old one is deleted. */
  readonly createFirst?: boolean;
}

/**
 * A plan as `terraform show -json` prints it, from YAML in short: a map of addresses and {@link PlannedResource}. Values after the plan
 * stand before those of now, so that a test finds them first.
 */
export function plan(...parts: readonly string[]): string {
  const resources = parse(parts.join('\n')) as Readonly<Record<string, PlannedResource>>;
  const names = Object.entries(resources).map(([address, resource]) => {
    const [type = '', name = ''] = address.replace(/^data\./, '').split('.');
    return { address, mode: address.startsWith('data.') ? 'data' : 'managed', type, name, resource };
  });
  const json = {
    format_version: '1.2',
    terraform_version: '1.11.4',
    planned_values: { root_module: {} },
    resource_changes: names.map(({ resource, ...head }) => ({ ...head, change: changeOf(resource) })),
    configuration: {
      root_module: {
        resources: names.map(({ resource, ...head }) => ({ ...head, expressions: expressionsOf(resource) })),
      },
    },
  };
  return JSON.stringify(json, undefined, 2);
}

function changeOf({
  before,
  after = {},
  unknown = {},
  sensitive = [],
  actions,
  replace,
  createFirst = false,
}: PlannedResource): object {
  const told = Object.entries({ ...before, ...after }).filter(([name]) => !Object.hasOwn(unknown, name));
  const marks = Object.fromEntries(sensitive.map((name) => [name, true]));
  const isChanged = Object.keys({ ...after, ...unknown }).length > 0;
  const usual =
    before === undefined
      ? ['create']
      : replace !== undefined
        ? createFirst
          ? ['create', 'delete']
          : ['delete', 'create']
        : [isChanged ? 'update' : 'no-op'];
  return {
    actions: actions ?? usual,
    after: Object.fromEntries(told),
    after_unknown: Object.fromEntries(Object.keys(unknown).map((name) => [name, true])),
    after_sensitive: marks,
    before: before ?? null,
    before_sensitive: marks,
    ...(replace === undefined ? {} : { replace_paths: replace }),
  };
}

function expressionsOf({ before, after = {}, unknown = {}, answered = [], given = {} }: PlannedResource): object {
  const written = Object.entries({ ...before, ...after }).filter(
    ([name, value]) => value !== null && !Object.hasOwn(unknown, name) && !answered.includes(name),
  );
  const referring = Object.entries(unknown).filter(([, from]) => from !== 'computed');
  const expressions: [string, object][] = [
    ...written.map(([name, value]): [string, object] => [name, { constant_value: value }]),
    ...referring.map(([name, from]): [string, object] => [name, { references: [from] }]),
  ];
  const references = Object.entries(given).map(([name, from]) => [name, { references: from }] as const);
  return Object.fromEntries([...expressions, ...references]);
}
