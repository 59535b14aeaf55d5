import type { EksModel, Resource } from '../eks';
import type { Finding } from './finding';

/*
 * What code of fixes declares has names, and people paste the code of several findings into one file. So each finding has its own, with numbers behind
 * them: `NodeTemplate2`. Of one resource, the code that several rules print is one, which `repeated-code.ts` sees to.
 */

/** `block` and `data` of HCL, `resource` of a template, `construct` and `constant` of an app. */
type Kind = 'block' | 'data' | 'resource' | 'construct' | 'constant';

interface Name {
  readonly kind: Kind;
  readonly text: string;
  /** Of what HCL declares. */
  readonly type?: string | undefined;
}

const DECLARATIONS: readonly (readonly [Kind, RegExp])[] = [
  ['block', /^resource "(?<type>\w+)" "(?<text>\w+)"/gm],
  ['data', /^data "(?<type>\w+)" "(?<text>\w+)"/gm],
  ['resource', /^(?<text>\w+):\n {2}Type: AWS::/gm],
  ['resource', /^"(?<text>\w+)": \{\n\s+"Type": "AWS::/gm],
  ['construct', /(?:^|= )new [\w.]+\(this, '(?<text>\w+)'|\.from\w+\(this, '(?<text2>\w+)'/gm],
  ['constant', /^const (?<text>\w+) = /gm],
];

function namesIn(code: string): readonly Name[] {
  return DECLARATIONS.flatMap(([kind, pattern]) =>
    [...code.matchAll(pattern)].map(({ groups = {} }) => ({
      kind,
      text: groups['text'] ?? groups['text2'] ?? '',
      type: groups['type'],
    })),
  );
}

/** Findings whose code declares nothing by a name that the code of another resource's finding, or the stack itself, has. */
export function withOwnNames(findings: readonly Finding[], model: EksModel): Finding[] {
  const owners = new Map<string, unknown>();
  // Numbers that others have needn't be tried again for each of many findings.
  const next = new Map<string, number>();
  const ownNumbers = new Map<string, WeakMap<Resource, number>>();
  return findings.map((finding) => {
    const { fixCode, resource, suppressed } = finding;
    if (fixCode === undefined || suppressed !== undefined) return finding;
    const { hasName } = resource.dialect.fixes;
    const isTaken = (name: Name): boolean => {
      const owner = owners.get(keyOf(name, resource.stack));
      // Nobody declares one source of data twice, for one resource either.
      if (owner !== undefined && (owner !== resource || name.kind === 'data')) return true;
      if (name.kind === 'block') return blocksOf(model).has(keyOf(name, resource.stack));
      return (name.kind === 'resource' || name.kind === 'construct') && hasName?.(name.text, resource) === true;
    };
    let code = fixCode;
    for (const name of namesIn(fixCode)) {
      let free = name;
      const key = keyOf(name, resource.stack);
      const own = ownNumbers.get(key) ?? new WeakMap<Resource, number>();
      for (let number = own.get(resource) ?? next.get(key) ?? 2; isTaken(free); number++) {
        free = { ...name, text: `${name.text}${name.type === undefined ? '' : '_'}${number}` };
        next.set(key, Math.max(number + 1, next.get(key) ?? 2));
        ownNumbers.set(key, own.set(resource, number));
      }
      owners.set(keyOf(free, resource.stack), resource);
      if (free !== name) code = renamed(code, name, free.text);
    }
    return code === fixCode ? finding : { ...finding, fixCode: code };
  });
}

function keyOf({ kind, type, text }: Name, stack: string): string {
  return JSON.stringify([stack, kind, type, text]);
}

const byModel = new WeakMap<EksModel, ReadonlySet<string>>();

/** What the resources of a model are called in HCL. */
function blocksOf(model: EksModel): ReadonlySet<string> {
  let blocks = byModel.get(model);
  if (blocks === undefined) {
    blocks = new Set(
      model.resources.flatMap(({ stack, id }) => {
        const [, type, text = ''] = /^(\w+)\.(\w+)/.exec(id) ?? [];
        return type === undefined ? [] : keyOf({ kind: 'block', type, text }, stack);
      }),
    );
    byModel.set(model, blocks);
  }
  return blocks;
}

function renamed(code: string, { kind, text, type = '' }: Name, to: string): string {
  switch (kind) {
    case 'construct':
      return code.replaceAll(new RegExp(`(?<=\\(this, ')${text}(?=')`, 'g'), to);
    case 'block':
      return code
        .replaceAll(`resource "${type}" "${text}"`, `resource "${type}" "${to}"`)
        .replaceAll(new RegExp(`(?<!data\\.)\\b${type}\\.${text}\\b`, 'g'), `${type}.${to}`);
    case 'data':
      return code
        .replaceAll(`data "${type}" "${text}"`, `data "${type}" "${to}"`)
        .replaceAll(new RegExp(`\\bdata\\.${type}\\.${text}\\b`, 'g'), `data.${type}.${to}`);
    case 'constant':
      return (
        code
          // An option that is called like it.
          .replaceAll(new RegExp(`^( *)${text},$`, 'gm'), `$1${text}: ${to},`)
          .replaceAll(new RegExp(`(?<![.'\\w])${text}(?![\\w']|: )`, 'g'), to)
      );
    case 'resource':
      // Properties may be called like it.
      return code.replaceAll(
        new RegExp(`(?<!\\w)${text}(?!\\w|: |": (?!\\{\\n\\s+"Type": "AWS)|:\\n(?! {2}Type: ))`, 'g'),
        to,
      );
  }
}

/** Code with the names that the code of one finding alone would have: to a reader, what differs in their numbers is the same. */
export function withCommonNames(code: string): string {
  return namesIn(code).reduce((text, name) => {
    const common = name.text.replace(/_?\d{1,4}$/, '');
    return common === name.text ? text : renamed(text, name, common);
  }, code);
}
