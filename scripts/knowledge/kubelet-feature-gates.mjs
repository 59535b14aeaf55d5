// Writes kubelet-feature-gates.json from a checkout of kubernetes/website: the gates that are gone, with the last version that has them.
// Nothing is carried over. A gate that the page doesn't mark as removed isn't in the table, whatever its stages say.
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const folder = 'content/en/docs/reference/command-line-tools-reference/feature-gates';
/** Gates that were gone before this minor can't be in use on EKS any more. */
const firstRemovalThatMatters = 20;

const { paths, check } = parseArguments(['checkout of kubernetes/website']);
const upstream = new Checkout(paths[0], 'kubernetes/website');
const before = readTable('kubelet-feature-gates');

const files = upstream.list(`${folder}/`).filter((path) => /\/[A-Z]\w*\.md$/.test(path));
if (files.length === 0) throw new Error(`${folder} has no pages of gates: the layout has changed`);

const gates = {};
for (const path of files) {
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(upstream.read(path))?.[1] ?? '';
  if (!/^removed:[ \t]*true[ \t]*$/m.test(head)) continue;
  const name = /^title:[ \t]*["']?(\w+)/m.exec(head)?.[1];
  const last = lastVersion(head);
  if (name === undefined || last === undefined) console.log(`left out, for its page doesn't say the last version: ${path}`);
  else if (last + 1 >= firstRemovalThatMatters) gates[name] = `1.${last}`;
}

const sorted = Object.fromEntries(Object.entries(gates).sort(([a], [b]) => (a < b ? -1 : 1)));
const { date } = upstream.head();
const source = upstream.source(folder, 'gates marked as removed, with the last version of their last stage', { displayPath: `${folder}/*.md` });
finish('kubelet-feature-gates', { ...before, asOf: date, sources: [source], gates: sorted }, { check });

/** Minor of the last version in which the gate has a stage; undefined when one of the stages has no end. */
function lastVersion(head) {
  const stages = head.split(/^[ \t]*-[ \t]*stage:/m).slice(1);
  const ends = stages.map((stage) => Number(/^[ \t]*toVersion:[ \t]*["']?1\.(\d+)["']?[ \t]*$/m.exec(stage)?.[1] ?? NaN));
  const last = Math.max(...ends);
  return Number.isInteger(last) ? last : undefined;
}
