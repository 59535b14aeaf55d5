import type { Document } from 'yaml';
import { RESOURCE_TABLES } from '../../eks/resources';
import { propertyPath, stepsOf, type ResourceTable, type Setting } from '../../eks/resources/table';
import { keptByText } from '../../text/kept-by-text';
import { yaml } from '../../text/lazy-parsers';
import type { LaunchTemplate } from '../../eks';
import type { Resource, Value } from '../../value';

/*
 * Code for a ClusterConfig, of that for a template of CloudFormation: eksctl has the same settings under other names. What it has no setting for, words
 * alone say.
 */

/** Settings that eksctl has in another form. */
const OF_ANOTHER_FORM = new Set(['amiType', 'capacityType', 'metadata']);

export function codeInConfig(code: string, resource: Resource): string | undefined {
  const { type } = resource;
  // User data, of which eksctl writes the rest.
  if (!/^[A-Z]\w*:/m.test(code)) return undefined;
  // What refers to other resources, goes elsewhere, or is for the user to fill in.
  if (/<[a-z][\w ]*>|![A-Z]\w*|\bFn::|\$\{|^# .*:$|^ *Type: /im.test(code)) return undefined;
  if (type.endsWith('.launchTemplate')) return metadataCode(code, resource);
  const table = RESOURCE_TABLES.find(({ eksctl = [] }) => eksctl.includes(type));
  return table === undefined ? undefined : renamed(JSON.stringify([type, code]));
}

const renamed = keptByText((key): string | undefined => {
  const [type = '', code = ''] = JSON.parse(key) as readonly string[];
  const table = RESOURCE_TABLES.find(({ eksctl = [] }) => eksctl.includes(type));
  const document: Document = yaml().parseDocument(code, { logLevel: 'silent' });
  if (table === undefined || document.errors.length > 0 || !yaml().isMap(document.contents)) return undefined;
  const result: Document = new (yaml().Document)({});
  result.commentBefore = document.commentBefore;
  let left = leavesOf(document.toJS());
  for (const { from, to } of namesIn(table)) {
    const node = document.getIn(from, true);
    if (node === undefined || node === null) continue;
    result.setIn(to, node);
    left -= leavesOf(document.getIn(from));
  }
  if (left !== 0) return undefined;
  return String(result)
    .trimEnd()
    .replace(/^(resolveConflicts: )([A-Z]+)$/m, (_, name: string, mode: string) => name + mode.toLowerCase());
});

interface Names {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The names of settings in CloudFormation and in eksctl; of blocks those of what is in them. */
function namesIn(table: ResourceTable): readonly Names[] {
  return Object.entries(table.settings).flatMap(([name, setting]): readonly Names[] => {
    const from = propertyPath(table, setting);
    const to = setting.eksctl;
    if (from === undefined || to === undefined || OF_ANOTHER_FORM.has(name)) return [];
    const steps = stepsOf(to);
    if (!('settings' in setting) || setting.type !== 'block') return [{ from, to: steps }];
    return Object.values(setting.settings).flatMap((inner: Setting): readonly Names[] =>
      inner.cloudFormation === undefined || inner.eksctl === undefined
        ? []
        : [{ from: [...from, ...stepsOf(inner.cloudFormation)], to: [...steps, ...stepsOf(inner.eksctl)] }],
    );
  });
}

/** How many values there are: a list counts as one. */
function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1;
  const items =
    value instanceof Map
      ? [...(value.values() as Iterable<unknown>)]
      : 'items' in value
        ? undefined
        : Object.values(value);
  return items === undefined ? 1 : items.reduce<number>((sum, item) => sum + leavesOf(item), 0);
}

/** Two hops and required tokens are what eksctl writes where the file doesn't say otherwise. */
function metadataCode(code: string, resource: Resource): string | undefined {
  if (!/^MetadataOptions:/m.test(code) && !/^HttpTokens:/m.test(code)) return undefined;
  const { metadata } = resource as LaunchTemplate;
  const lines = [
    ...(isKnown(metadata.httpTokens, 'optional') ? ['disableIMDSv1: true'] : []),
    ...(isKnown(metadata.hopLimit, 1) && code.includes('HttpPutResponseHopLimit: 2') ? ['disablePodIMDS: false'] : []),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

function isKnown<T>(value: Value<T>, wanted: T): boolean {
  return value.kind === 'known' && value.value === wanted;
}
