// Regenerates removed-apis.json from a checkout of kubernetes/website: its deprecation guide, which tells release by release which API versions
// are no longer served, and what takes their place. Up to which release it is complete is for a person to say (knownTo).
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const page = 'content/en/docs/reference/using-api/deprecation-guide.md';
/** The first release of the guide. No cluster of EKS serves what that removed, but manifests still have it. */
const firstRemovalThatMatters = 16;

const { paths, check } = parseArguments(['checkout of kubernetes/website']);
const upstream = new Checkout(paths[0], 'kubernetes/website');
const before = readTable('removed-apis');
const [, ...releases] = upstream.read(page).split(/^### v/m);
if (releases.length === 0) throw new Error(`${page} has no releases: the layout has changed`);

const apis = releases.flatMap((release) => {
  const [, removedIn = '', minor = '0'] = /^(1\.(\d+))/.exec(release) ?? [];
  if (Number(minor) < firstRemovalThatMatters) return [];
  return release
    .split(/^#### /m)
    .slice(1)
    .flatMap((section) => apisIn(section, removedIn));
});
const [guide, ...others] = before.sources;
finish(
  'removed-apis',
  { ...before, asOf: upstream.head().date, sources: [upstream.source(page, guide.gives), ...others], apis },
  { check, carriedOver: ['knownTo: the newest release that the guide, or the announcement of a release, speaks of'] },
);

/** `The **a/v1beta1** and **b/v1beta1** API versions of A, B, and C are no longer served as of v1.22.` */
function apisIn(section, removedIn) {
  const text = section.replaceAll('\n', ' ');
  const sentence =
    /(?:\*\*[\w./]+\*\*.*? API versions? of ([\w, ]+?)|(\w+) in the \*\*[\w./]+\*\* API version) (?:is|are|will)\b/.exec(
      text,
    );
  if (sentence === null) {
    console.log(`left out, for its sentence isn't understood: ${section.split('\n')[0]}`);
    return [];
  }
  const kinds = (sentence[1] ?? sentence[2]).split(/,? and |, /).filter(Boolean);
  const apiVersions = [...sentence[0].matchAll(/\*\*([\w./]+)\*\*/g)].map(([, apiVersion]) => apiVersion);
  const [, use, since] = /to use the \*\*([\w./]+)\*\* API version(?:, available since v(1\.\d+))?/.exec(text) ?? [];
  return apiVersions.flatMap((apiVersion) =>
    kinds.map((kind) => ({
      apiVersion,
      kind,
      removedIn,
      ...(use === undefined ? {} : { use }),
      ...(since === undefined ? {} : { since }),
    })),
  );
}
