import { resourceName, type Resource, type SourceLocation } from '../eks';
import type { Sayings } from './alike';
import type { Block, Located } from './blocks';
import { listText } from './prose';
import { position } from './summary';

/** Resources of one place that are named in one line. */
const MOST_NAMES = 4;

/** Characters of names of root modules or stacks beyond which they are only counted. */
const MOST_OF_NAMES = 60;

/** A place at which it holds as well. */
export interface OtherPlace {
  readonly place: SourceLocation;
  /** What is said there, by what isn't said of the first finding; first those of which nothing is different, if any. */
  readonly rows: readonly OtherRow[];
}

export interface OtherRow {
  readonly located: readonly [Located, ...Located[]];
  /** What its message says that the one of the first finding doesn't; empty if that is nothing. */
  readonly detail: string;
}

/** At which places that which a block tells holds as well; first its own place, if it holds of others there. */
export function otherPlaces({ finding, place, others }: Block, sayings: Sayings): readonly OtherPlace[] {
  const byPlace = new Map<string, Located[]>();
  for (const other of others) {
    const known = byPlace.get(position(other.place));
    if (known === undefined) byPlace.set(position(other.place), [other]);
    else known.push(other);
  }
  const own = position(place);
  const ordered = [...byPlace].sort(([one], [other]) => Number(other === own) - Number(one === own));
  return ordered.flatMap(([, located]) => {
    const [first] = located;
    return first === undefined ? [] : [{ place: first.place, rows: byDetail(located, finding.message, sayings) }];
  });
}

function byDetail(located: readonly Located[], message: string, sayings: Sayings): readonly OtherRow[] {
  const byText = new Map<string, Located[]>([['', []]]);
  for (const one of located) {
    const detail = sayings.difference(one.finding.message, message);
    const known = byText.get(detail);
    if (known === undefined) byText.set(detail, [one]);
    else known.push(one);
  }
  return [...byText].flatMap(([detail, [first, ...more]]) =>
    first === undefined ? [] : [{ located: [first, ...more], detail }],
  );
}

/** Resources of one place, and how many root modules or stacks they are of. @param first whose name is known already */
export function namesOf(located: readonly Located[], first?: Located['finding']): string {
  const own = first === undefined ? undefined : shortName(first.resource);
  const others = located.filter(({ finding }) => shortName(finding.resource) !== own);
  const shown = first === undefined ? shortNames(others) : namesNextTo(others, first);
  const all = first === undefined ? located : [{ finding: first }, ...located];
  const roots = new Set(all.map(({ finding }) => finding.resource.stack));
  const kind = located[0]?.finding.resource.dialect.stacks ?? '';
  const rootNames = listText([...roots]);
  const names = shown === '' && first !== undefined ? partsNamed(located, first.message) : shown;
  return [
    ...(names === '' ? [] : [`${first === undefined ? '' : 'for '}${names}`]),
    ...(roots.size > 1 ? [`in ${roots.size} ${kind}${rootNames.length > MOST_OF_NAMES ? '' : `: ${rootNames}`}`] : []),
  ].join(', ');
}

/** What messages about parts of one resource name that another doesn't: groups of a ClusterConfig whose lines an anchor shares. */
function partsNamed(located: readonly Located[], message: string): string {
  const quoted = (text: string): readonly string[] => text.match(/"[^"]+"/g) ?? [];
  const told = new Set(quoted(message));
  const names = located.flatMap(({ finding }) => quoted(finding.message)).filter((name) => !told.has(name));
  return listText([...new Set(names)]);
}

/** Names of resources without the path that they have in common with that of a finding. */
export function namesNextTo(located: readonly Located[], { resource }: Located['finding']): string {
  const [path] = /^.*\//.exec(shortName(resource)) ?? [''];
  return shortNames(located, path);
}

function shortNames(located: readonly Located[], path = ''): string {
  const names = [...new Set(located.map(({ finding }) => shortName(finding.resource)))].map((name) =>
    name.startsWith(path) ? name.slice(path.length) : name,
  );
  return listText(
    names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES - 1), `${names.length - MOST_NAMES + 1} more`] : names,
  );
}

/** The key of an instance of Terraform, which people gave it, or the whole name. */
function shortName(resource: Resource): string {
  const name = resourceName(resource);
  return /(?:\["([^"\]]+)"\])(?!.*\[")/.exec(name)?.[1] ?? name;
}
