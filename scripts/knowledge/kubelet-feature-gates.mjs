// Adds to kubelet-feature-gates.json what a checkout knows of gates that are gone: the last version that has them. Two repositories say it,
// and each is read on its own: kubernetes/website, by pages that mark a gate as removed, and gardener/gardener, which compares the lists of
// gates of Kubernetes' releases (test/compatibility_lifecycle/reference/versioned_feature_list.yaml). The pages lag behind the releases.
// A gate that neither says is removed isn't in the table, whatever its stages say; what the table has already stays.
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const pages = 'content/en/docs/reference/command-line-tools-reference/feature-gates';
const ranges = 'pkg/utils/validation/features/featuregates.go';
/** Gates that were gone before this minor can't be in use on EKS any more. */
const firstRemovalThatMatters = 20;

const { paths, check } = parseArguments(['checkout of kubernetes/website or of gardener/gardener']);
const before = readTable('kubelet-feature-gates');
const isGardener = new Checkout(paths[0]).list(ranges).length > 0;
const upstream = new Checkout(paths[0], isGardener ? 'gardener/gardener' : 'kubernetes/website');
const found = isGardener ? fromRanges() : fromPages();

const gates = { ...before.gates };
for (const [name, last] of Object.entries(found)) if (last + 1 >= firstRemovalThatMatters) gates[name] = `1.${last}`;
const sorted = Object.fromEntries(Object.entries(gates).sort(([a], [b]) => (a < b ? -1 : 1)));
const source = isGardener
  ? upstream.source(
      ranges,
      'gates that a release of Kubernetes no longer lists, with the release before it as the last version',
    )
  : upstream.source(pages, 'gates marked as removed, with the last version of their last stage', {
      displayPath: `${pages}/*.md`,
    });
const sources = [...before.sources.filter(({ repository }) => repository !== upstream.repository), source];
const asOf = sources
  .map(({ date }) => date)
  .sort()
  .at(-1);
finish('kubelet-feature-gates', { ...before, asOf, sources, gates: sorted }, { check });

/** Minor of the last version by gate, as Gardener says it: `"Name": {… RemovedInVersion: "1.36"}`. */
function fromRanges() {
  const last = {};
  for (const [, name, removed] of upstream.read(ranges).matchAll(/^\t"(\w+)":[^\n]*\bRemovedInVersion: "1\.(\d+)"/gm))
    last[name] = Number(removed) - 1;
  if (Object.keys(last).length === 0) throw new Error(`${ranges} has no removed gates: the layout has changed`);
  return last;
}

/** The same by the pages of the reference. */
function fromPages() {
  const files = upstream.list(`${pages}/`).filter((path) => /\/[A-Z]\w*\.md$/.test(path));
  if (files.length === 0) throw new Error(`${pages} has no pages of gates: the layout has changed`);
  const found = {};
  for (const [index, text] of upstream.readAll(files).entries()) {
    const path = files[index];
    const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
    if (!/^removed:[ \t]*true[ \t]*$/m.test(head)) continue;
    const name = /^title:[ \t]*["']?(\w+)/m.exec(head)?.[1];
    const last = lastVersion(head);
    if (name === undefined || last === undefined)
      console.log(`left out, for its page doesn't say the last version: ${path}`);
    else found[name] = last;
  }
  return found;
}

/** Minor of the last version in which the gate has a stage; undefined when one of the stages has no end. */
function lastVersion(head) {
  const stages = head.split(/^[ \t]*-[ \t]*stage:/m).slice(1);
  const ends = stages.map((stage) =>
    Number(/^[ \t]*toVersion:[ \t]*["']?1\.(\d+)["']?[ \t]*$/m.exec(stage)?.[1] ?? NaN),
  );
  const last = Math.max(...ends);
  return Number.isInteger(last) ? last : undefined;
}
