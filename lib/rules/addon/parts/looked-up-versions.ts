import { resourceName, type Judgement } from '../../../engine';
import type { Addon, AddonVersionLookup, EksModel, Known, Plain, Unknown, When } from '../../../eks';
import { exampleOf, newestKnown } from './version-examples';

export type LookupMessage = 'looked-up' | 'looked-up-cni';

export interface Setting {
  readonly today: string;
  /** Whether the cluster may have nodes on which the VPC CNI runs. */
  readonly hasNodes: boolean;
  /** Whether the block that makes the add-on makes others, too, for keys of `for_each` or calls of its module. */
  readonly isShared: () => boolean;
}

/** Which add-ons are made at one place. Places are looked up when somebody asks: few add-ons need it. */
export class Places {
  private versions: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(private readonly model: EksModel) {}

  areShared(addon: Addon): boolean {
    return isOfLoop(addon) || ((this.versions ??= this.versionsAt()).get(placeOf(addon))?.size ?? 0) > 1;
  }

  /** For which versions of clusters there are which add-ons at each place: the same one for one version has one text. */
  private versionsAt(): ReadonlyMap<string, ReadonlySet<string>> {
    const versions = new Map<string, Set<string>>();
    for (const addon of this.model.addons) {
      const version = this.model.viewOf(addon).cluster?.version;
      const isKnown = version?.kind === 'known' && addon.name.kind === 'known';
      const text = isKnown ? `${addon.name.value} for ${version.value}` : `${addon.stack} ${addon.id}`;
      const place = placeOf(addon);
      versions.set(place, (versions.get(place) ?? new Set()).add(text));
    }
    return versions;
  }
}

function isOfLoop({ id }: Addon): boolean {
  return /\["[^"]*"\]$/.test(id);
}

function placeOf({ source }: Addon): string {
  const { file, line, column } = source.locate();
  return `${file}:${line}:${column}`;
}

/** A version that is looked up at every plan, whatever it was this time; undefined if none is. */
export function lookedUp(
  addon: Addon,
  addonName: Plain<string>,
  lookup: Plain<AddonVersionLookup> | undefined,
  clusterVersion: Plain<string> | undefined,
  when: When,
  { today, hasNodes, isShared: areShared }: Setting,
): Judgement<LookupMessage> | undefined {
  if (lookup === undefined || lookup.kind === 'absent') return undefined;
  const isShared = areShared();
  const { which, how, write } = wordsOf(lookup, isShared);
  const called = addonName.kind === 'known' ? addonName.value : undefined;
  const example = exampleOf(newestKnown(called, lookup, clusterVersion, today));
  const isPinnedByCall = lookup.kind === 'known' && lookup.value.isModuleDefault;
  const data = {
    name: resourceName(addon),
    addon: called ?? 'its name is not known',
    which,
    how,
    write,
    ...example,
    // Code with a hole isn't shown: the same text for all of them would be wrong for the others. In a loop it can be for one alone.
    ...(isShared && !isPinnedByCall && !(isOfLoop(addon) && called === 'vpc-cni') ? { suggestion: '<version>' } : {}),
  };
  const related =
    lookup.kind === 'known' && lookup.value.source !== lookup.source
      ? [{ message: `asks AWS for ${which}`, source: lookup.value.source }]
      : [];
  const isCni = called === 'vpc-cni' && hasNodes;
  return {
    resource: addon,
    source: lookup.source,
    when,
    verdict: 'fail',
    severity: isCni ? 'warning' : 'info',
    message: isCni ? 'looked-up-cni' : 'looked-up',
    data,
    related,
  };
}

const PIN = 'Pin the version with `addon_version`';
const PIN_EACH =
  'Give each add-on that this block makes a version of its own, as a variable that each call of the module sets, an attribute of each item of `for_each` or a condition on `each.key`, and use that in the place of the data source';

/**
 * What is asked for, how that comes, and what to write instead.
 * @param isShared what makes the add-on makes others, too
 */
function wordsOf(
  lookup: Known<AddonVersionLookup> | Unknown,
  isShared: boolean,
): Readonly<Record<'which' | 'how' | 'write', string>> {
  if (lookup.kind === 'unknown')
    return { which: 'the newest or the default version', how: "`most_recent` isn't known", write: PIN };
  const { wanted, isModuleDefault } = lookup.value;
  const write = isModuleDefault ? PIN : isShared ? PIN_EACH : 'Write a version in the place of the data source';
  if (wanted === 'newest') return { which: 'the newest version that EKS offers', how: '`most_recent`', write };
  const asked = 'the data source `aws_eks_addon_version` is asked';
  return {
    which: "the version that is EKS's default",
    how: isModuleDefault ? `it names none, and ${asked}` : `${asked} without \`most_recent\``,
    write,
  };
}
