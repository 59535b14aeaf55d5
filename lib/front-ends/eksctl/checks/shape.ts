import type { ConfigProblem } from '../../../eks';
import { kubernetesMinor, kubernetesMinors, kubernetesMinorsAsOf } from '../../../knowledge';
import { eksctlBlocksWith, eksctlKeys, type EksctlType } from '../../../knowledge/eksctl-keys';
import { nearestName } from '../../../text/nearest';
import { listOf } from '../../../text/in-words';
import { ConfigNode } from '../config-node';
import { pathText, refused } from './problem';

/**
 * Keys that eksctl doesn't have, which it refuses; keys that differ from one in case alone, which it drops without a word; and values of another
 * type. Source: eks/api.go, ParseConfig: the strict pass matches keys in any case, the pass whose result counts doesn't.
 */
export function shapeProblems(root: ConfigNode): readonly ConfigProblem[] {
  const [head, block] = [headProblems(root), blockProblems(root, 'ClusterConfig')];
  // Which keys another version has isn't known: they are told with it, once.
  const other = head.find((one) => one.kind === 'refused' && isOtherVersion(one));
  if (other?.kind !== 'refused') return [...head, ...block];
  const strangers = block.flatMap((one) =>
    one.kind === 'unknownKey' ? [`\`${one.key}\` (line ${one.source.locate().line})`] : [],
  );
  const advice =
    strangers.length === 0
      ? other.advice
      : `${other.advice} It does not have ${listOf(strangers)}: take that out, or write what is meant.`;
  return [
    ...head.map((one) => (one === other ? { ...other, advice } : one)),
    ...block.filter(({ kind }) => kind !== 'unknownKey'),
  ];
}

function isOtherVersion({ source }: ConfigProblem): boolean {
  return source instanceof ConfigNode && /^eksctl\.io\//i.test(source.label);
}

const VERSION = 'eksctl.io/v1alpha5';

/** What tells eksctl that it is a ClusterConfig; their keys are looked for in any case. Source: eks/api.go, ParseConfig; apimachinery, SimpleMetaFactory. */
function headProblems(root: ConfigNode): readonly ConfigProblem[] {
  return [
    { name: 'apiVersion', value: VERSION },
    { name: 'kind', value: 'ClusterConfig' },
  ].flatMap(({ name, value }): readonly ConfigProblem[] => {
    const key = root.keys.find((one) => one.toLowerCase() === name.toLowerCase());
    if (key === undefined) {
      const isMisspelt = root.keys.some((one) => nearestName(one, [name]) !== undefined);
      return isMisspelt ? [] : [refused(root, `the file has no \`${name}\``, `Write \`${name}: ${value}\`.`)];
    }
    const node = root.child(key);
    return node.raw === value || node.text.kind !== 'known'
      ? []
      : [refused(node, `\`${key}\` is "${node.label}", which eksctl does not have`, `Write \`${name}: ${value}\`.`)];
  });
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** Whether a block has a key that it doesn't know, which may be meant as one that it lacks; that key is told then. */
export function hasStranger(node: ConfigNode, block: string): boolean {
  const known = eksctlKeys(block);
  return known !== undefined && node.keys.some((key) => !known.has(key));
}

function blockProblems(node: ConfigNode, block: string): readonly ConfigProblem[] {
  const known = eksctlKeys(block);
  if (known === undefined || !node.isWritten) return [];
  if (!isMap(node)) return [wrongType(node, 'a map')];
  const strangers = new Map<string, string[]>();
  const problems = node.keys.flatMap((key): readonly ConfigProblem[] => {
    const child = node.child(key);
    const type = known.get(key);
    if (type !== undefined) return valueProblems(child, type);
    const home = homeOf(key, node, block, known);
    if (home === undefined)
      return [unknownKey(child, key, block, nearestMissing(key, node, known), meantBy(key, known))];
    strangers.set(home, [...(strangers.get(home) ?? []), key]);
    return [];
  });
  return [...problems, ...[...strangers].map(([home, keys]) => outdented(node, block, home, keys))];
}

type Known = ReadonlyMap<string, EksctlType>;

/** The block beside a key that has it, so that the key is rather at the wrong depth than wrong. */
function homeOf(key: string, node: ConfigNode, block: string, known: Known): string | undefined {
  if (OF_GROUPS.has(block) || meantBy(key, known) !== undefined) return undefined;
  const homes = [...known].flatMap(([name, type]) =>
    type.kind === 'block' && eksctlKeys(type.block)?.has(key) === true && !node.child(name).keys.includes(key)
      ? [name]
      : [],
  );
  if (homes.includes(METADATA)) return METADATA;
  return homes.length === 1 && nearestMissing(key, node, known) === undefined ? homes[0] : undefined;
}

const METADATA = 'metadata';

/** Keys that stand beside the block that they belong into: one slip of indentation, however many there are. */
function outdented(node: ConfigNode, block: string, home: string, keys: readonly string[]): ConfigProblem {
  const [key = ''] = keys;
  const child = node.child(key);
  return {
    kind: 'unknownKey',
    key,
    place: placeOf(child, block),
    advice: `Indent ${listOf(keys.map((one) => `\`${one}\``))} under \`${home}\`.`,
    isSure: true,
    source: child,
  };
}

function placeOf(node: ConfigNode, block: string): string {
  return (
    PLACES.get(block) ?? (node.path.length === 1 ? 'a ClusterConfig' : `\`${pathText(node).replace(/\.[^.]*$/, '')}\``)
  );
}

function meantBy(key: string, known: Known): string | undefined {
  return [...known.keys()].find((name) => name.toLowerCase() === key.toLowerCase());
}

/** The key that a misspelt one stands for, if that isn't there already. @param node the block */
function nearestMissing(key: string, node: ConfigNode, known: Known): string | undefined {
  return nearestName(
    key,
    [...known.keys()].filter((name) => !node.keys.includes(name)),
  );
}

function unknownKey(
  node: ConfigNode,
  key: string,
  block: string,
  nearest: string | undefined,
  meant: string | undefined,
): ConfigProblem {
  if (meant !== undefined)
    return { kind: 'ignoredKey', key, meant, isWhole: node.path.length === 1 && !HEAD.has(meant), source: node };
  const place = placeOf(node, block);
  const others = nearest === undefined && OF_GROUPS.has(block) ? eksctlBlocksWith(key) : [];
  const other = others
    .filter((name) => OF_GROUPS.has(name))
    .map((name) => PLACES.get(name))
    .find((name) => name !== undefined && name !== place);
  return {
    kind: 'unknownKey',
    key,
    place,
    advice:
      nearest !== undefined
        ? `Write \`${nearest}\`, if that is meant.`
        : other === undefined
          ? 'Take it out, or write the key that is meant.'
          : `Only ${other} has it: move the group there, or take the key out.`,
    isSure: nearest !== undefined || other !== undefined,
    source: node,
  };
}

const PLACES: ReadonlyMap<string, string> = new Map([
  ['ManagedNodeGroup', 'a group of `managedNodeGroups`'],
  ['NodeGroup', 'a group of `nodeGroups`'],
  ['Addon', 'an add-on'],
]);

const OF_GROUPS: ReadonlySet<string> = new Set(['ManagedNodeGroup', 'NodeGroup']);

function valueProblems(node: ConfigNode, type: EksctlType): readonly ConfigProblem[] {
  const { raw } = node;
  if (!node.isWritten) return [];
  switch (type.kind) {
    case 'any':
      return [];
    case 'block':
      return blockProblems(node, type.block);
    case 'list':
      if (!Array.isArray(raw)) return isFilledIn(node) ? [] : [wrongType(node, 'a list')];
      return node.items.flatMap((item) => (item.isWritten ? valueProblems(item, type.items) : [emptyItem(item)]));
    case 'map':
      if (!isMap(node)) return [wrongType(node, 'a map')];
      return node.keys.flatMap((key) => valueProblems(node.child(key), type.items));
    case 'string':
      // Of a number or a boolean it counts how it is written.
      return node.isText
        ? []
        : [
            wrongType(
              node,
              'a text',
              node.label === '' ? undefined : `"${node.text.kind === 'known' ? node.text.value : node.label}"`,
            ),
          ];
    case 'integer':
      return typeof raw === 'number' || isFilledIn(node) ? [] : [wrongType(node, 'a number', numberOf(raw))];
    case 'boolean':
      return typeof raw === 'boolean' || isFilledIn(node) ? [] : [wrongType(node, '`true` or `false`', booleanOf(raw))];
  }
}

function wrongType(node: ConfigNode, wanted: string, right?: string): ConfigProblem {
  const found = Array.isArray(node.raw)
    ? 'a list'
    : isMap(node)
      ? 'a map'
      : node.isText
        ? 'a text'
        : typeof node.raw === 'boolean'
          ? 'true or false'
          : 'a number';
  const newest = pathText(node) === 'metadata.version' ? insteadOf(node) : undefined;
  return refused(
    node,
    `\`${pathText(node)}\` is ${found} where eksctl takes ${wanted}`,
    newest !== undefined
      ? `Write \`"${newest}"\`, or another version that EKS has support for: \`${right ?? ''}\` would be refused as too old.`
      : right === undefined
        ? `Write ${wanted}.`
        : `Write \`${right}\`.`,
  );
}

/** The newest version of EKS in place of one that it had given up by the day of the calendar, and eksctl with it; undefined where that isn't so. */
function insteadOf({ text }: ConfigNode): string | undefined {
  const asOf = kubernetesMinorsAsOf();
  const { endStandard, endExtended = endStandard } =
    (text.kind === 'known' ? kubernetesMinor(text.value) : undefined) ?? {};
  if (endExtended === undefined || endExtended > asOf) return undefined;
  return kubernetesMinors().findLast(({ eksRelease }) => eksRelease !== undefined && eksRelease <= asOf)?.version;
}

function emptyItem(node: ConfigNode): ConfigProblem {
  return refused(node, `\`${pathText(node)}\` is an empty item of a list`, 'Take the item out, or fill it in.');
}

function numberOf(raw: unknown): string | undefined {
  return typeof raw === 'string' && /^\d+$/.test(raw) ? raw : undefined;
}

function booleanOf(raw: unknown): string | undefined {
  return raw === 'true' || raw === 'false' ? raw : undefined;
}

function isMap({ raw }: ConfigNode): boolean {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** Whether another tool puts the value in before eksctl reads it. */
function isFilledIn(node: ConfigNode): boolean {
  return typeof node.raw === 'string' && node.text.kind === 'unknown';
}
