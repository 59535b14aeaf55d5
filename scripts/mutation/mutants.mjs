// The mutants of lib's sources: which there are, and sources with some of them built in, to be switched on one at a time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { groupedBy } from '../grouped-by.mjs';

/** Texts are for people: whether a message says the right thing, a reader decides. */
const EXCLUDED = ['StringLiteral'];

const QUIET = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
const OPTIONS = { excludedMutations: EXCLUDED, ignorers: [], plugins: null };

/** All mutants of some files, without an id: `{ file, start, end, mutator, original, replacement }`. */
export async function listMutants(root, files) {
  // What the sources would look like isn't asked for.
  const lister = new Instrumenter(QUIET, undefined, () => '');
  const sources = files.map((file) => ({ name: file, mutate: true, content: readFileSync(join(root, file), 'utf8') }));
  const { mutants } = await lister.instrument(sources, OPTIONS);
  const texts = new Map(sources.map(({ name, content }) => [name, content]));
  return mutants.filter(({ status }) => status !== 'Ignored').map((mutant) => described(mutant, texts));
}

function described({ fileName, location: { start, end }, mutatorName, replacement }, texts) {
  const lines = texts
    .get(fileName)
    .split('\n')
    .slice(start.line, end.line + 1);
  lines.push(lines.pop().slice(0, end.column));
  const original = [lines[0].slice(start.column), ...lines.slice(1)].join('\n');
  return { file: fileName, start, end, mutator: mutatorName, original, replacement };
}

/** Builds mutants in, and gives each its id. Only their places are touched, so that the tests take hardly longer. */
export async function instrument(root, mutants) {
  const byFile = groupedBy(mutants, ({ file }) => file);
  const sources = [...byFile].map(([file, ofFile]) => ({
    name: file,
    mutate: ofFile.map(({ start, end }) => ({ start, end })),
    content: readFileSync(join(root, file), 'utf8'),
  }));
  const { files, mutants: built } = await new Instrumenter(QUIET).instrument(sources, OPTIONS);
  const ids = new Map(
    built.map(({ id, fileName, location, mutatorName, replacement }) => [
      keyOf({ file: fileName, ...location, mutator: mutatorName, replacement }),
      id,
    ]),
  );
  return {
    sources: Object.fromEntries(files.map(({ name, content }) => [name, content])),
    mutants: mutants.map((mutant) => ({ ...mutant, id: ids.get(keyOf(mutant)) })),
  };
}

function keyOf({ file, start, end, mutator, replacement }) {
  return JSON.stringify([file, start.line, start.column, end.line, end.column, mutator, replacement]);
}
