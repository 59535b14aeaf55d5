// Regenerates the documented lists of cni-permissions.json from a checkout of aws/amazon-vpc-cni-k8s, docs/iam-policy.md.
// Which version calls what was read in the code, tag by tag, and is carried over; of it, only what isn't called is checked.
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of aws/amazon-vpc-cni-k8s']);
const upstream = new Checkout(paths[0], 'aws/amazon-vpc-cni-k8s');
const before = readTable('cni-permissions');
const page = 'docs/iam-policy.md';

const text = upstream.read(page);
const documented = { ipv4: policyUnder('### IPv4 mode'), ipv6: policyUnder('### IPv6 mode') };
const code = ['pkg/awsutils/awsutils.go', 'pkg/ipamd/ipamd.go'].map((path) => upstream.read(path)).join('\n');
for (const action of before.documentedButNotCalled) {
  const call = new RegExp(`\\.${action.replace('ec2:', '')}\\(`);
  if (call.test(code)) console.log(`${action} is called now: read the code and change documentedButNotCalled`);
}
const called = [
  ...before.fatalAtStart.ipv4,
  ...before.fatalAtStart.ipv6,
  ...before.ipv6Prefix,
  ...before.moreInterfaces,
  ...before.givingBack,
];
for (const action of called) {
  if (!documented.ipv4.actions.includes(action) && !documented.ipv6.actions.includes(action))
    console.log(`${action} is no longer documented: read the code and change the lists of calls`);
}
if (documented.ipv4.tags !== documented.ipv6.tags)
  throw new Error('the two families create tags on different resources now');

finish(
  'cni-permissions',
  {
    ...before,
    asOf: upstream.head().date,
    sources: [upstream.source(page, before.sources[0].gives), ...before.sources.slice(1)],
    createTags: { action: 'ec2:CreateTags', resource: documented.ipv4.tags.replace(/^arn:aws:/, 'arn:${partition}:') },
    ipv4: documented.ipv4.actions,
    ipv6: documented.ipv6.actions,
  },
  { check, carriedOver: ['lists of calls, calls by version and everything else that was read in the code'] },
);

function policyUnder(heading) {
  const start = text.indexOf(heading);
  const block = /```(?:json)?\n([\s\S]*?)```/.exec(text.slice(start))?.[1];
  if (start < 0 || block === undefined)
    throw new Error(`${page} has no policy under "${heading}": its layout has changed`);
  const statements = JSON.parse(block).Statement;
  const tags = statements.filter(({ Action }) => Action.includes('ec2:CreateTags'));
  const calls = statements.filter((statement) => !tags.includes(statement));
  if (tags.length !== 1 || calls.some(({ Resource }) => Resource !== '*'))
    throw new Error(`the policy under "${heading}" has another shape than the table`);
  return { actions: calls.flatMap(({ Action }) => Action).sort(), tags: tags[0].Resource[0] };
}
