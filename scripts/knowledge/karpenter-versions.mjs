// Regenerates karpenter-versions.json from a checkout of aws/karpenter-provider-aws: the compatibility matrix of its documentation. It leaves
// out old Kubernetes versions after a while; what the table has of them stays.
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const page = 'website/content/en/docs/upgrading/compatibility.md';

const { paths, check } = parseArguments(['checkout of aws/karpenter-provider-aws']);
const upstream = new Checkout(paths[0], 'aws/karpenter-provider-aws');
const before = readTable('karpenter-versions');
const rows = upstream
  .read(page)
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const minors = rows.find(([head]) => /^kubernetes$/i.test(head)) ?? [];
const versions = rows.find(([head]) => /^karpenter$/i.test(head)) ?? [];
if (minors.length < 2 || minors.length !== versions.length)
  throw new Error(`${page} has no compatibility matrix: the layout has changed`);

const oldest = { ...before.oldest };
for (const [index, minor] of minors.entries()) {
  const version = /(\d+(?:\.\d+)+)/.exec(versions[index])?.[1];
  if (index > 0 && version !== undefined) oldest[minor] = version;
}
const byMinor = Object.entries(oldest).sort(([a], [b]) => Number(a.slice(2)) - Number(b.slice(2)));
const [, ...others] = before.sources;
finish(
  'karpenter-versions',
  {
    ...before,
    asOf: upstream.head().date,
    sources: [upstream.source(page, before.sources[0].gives), ...others],
    oldest: Object.fromEntries(byMinor),
  },
  { check, carriedOver: ['Kubernetes versions that the matrix leaves out'] },
);
