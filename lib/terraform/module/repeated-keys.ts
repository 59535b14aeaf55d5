import type { Diagnostic } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import type { Body, Expression, ObjectEntry } from '../../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../languages/hcl/children';
import { diagnosticAt, type ModuleConfiguration } from './module-configuration';

/** Arguments that Terraform reads as they are written, with rules of their own. */
const SKIPPED_ATTRIBUTES: ReadonlySet<string> = new Set(['providers', 'type']);

/**
 * Keys that are written twice in one object of HCL. Terraform takes the last one without a word, so what the others say is missing where
 * a reader of the file sees it. In JSON it refuses them, which the reader of JSON tells.
 */
export function checkKeys({ files }: ModuleConfiguration): readonly Diagnostic[] {
  return files.flatMap((file) =>
    [...valuesIn(file.body)].flatMap((value) => objectsIn(value).flatMap((entries) => repeatedIn(entries, file))),
  );
}

/** Those in the objects of an expression of which one says something else than the last one. */
export function repeatedKeys(value: Expression): readonly string[] {
  return objectsIn(value).flatMap((entries) => lostEntries(entries).map(({ name }) => name));
}

function* valuesIn(body: Body): Iterable<Expression> {
  for (const { name, value } of body.attributes) if (!SKIPPED_ATTRIBUTES.has(name)) yield value;
  for (const block of body.blocks) yield* valuesIn(block.body);
}

/** By hand and not by recursion: chains of operators are as deep as they are long. */
function objectsIn(root: Expression): readonly (readonly ObjectEntry[])[] {
  const found: (readonly ObjectEntry[])[] = [];
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'object') found.push(node.entries);
    for (const child of childrenOf(node)) open.push(child);
  }
  return found;
}

function repeatedIn(entries: readonly ObjectEntry[], file: ConfigurationFile): readonly Diagnostic[] {
  return lostEntries(entries).map(({ name, entry, winner }) => {
    const { line } = file.place(winner.key.range).locate();
    return diagnosticAt(
      'warning',
      `key "${name}" is written again in line ${line}, in the same object: only what stands there counts`,
      file,
      entry.key.range,
    );
  });
}

interface LostEntry {
  readonly name: string;
  readonly entry: ObjectEntry;
  /** The last one of the name. */
  readonly winner: ObjectEntry;
}

function lostEntries(entries: readonly ObjectEntry[]): readonly LostEntry[] {
  const last = new Map<string, ObjectEntry>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (name !== undefined) last.set(name, entry);
  }
  return entries.flatMap((entry) => {
    const name = nameOf(entry);
    const winner = name === undefined ? undefined : last.get(name);
    return name === undefined || winner === undefined || winner === entry || isSame(entry.value, winner.value)
      ? []
      : [{ name, entry, winner }];
  });
}

/** The key of an entry, if nothing has to be evaluated for it. */
function nameOf({ key }: ObjectEntry): string | undefined {
  return key.kind === 'literal' && key.value !== null ? String(key.value) : undefined;
}

/** Whether nothing is lost with the first of two values. */
function isSame(one: Expression, other: Expression): boolean {
  return one.kind === 'literal' && other.kind === 'literal' && one.value === other.value;
}
