import { resourceName, type RelatedPlace } from '../../../engine';
import {
  alternativesOf,
  inNameOrder,
  launchTemplateOf,
  type AnyNodeGroup,
  type FargateProfile,
  type Image,
  type Plain,
  type Resource,
  type Subnet,
  type Table,
  type UserData,
  type Vpc,
  type WayOut,
  type When,
} from '../../../eks';
import { listOf } from '../../../text/in-words';

export type User = AnyNodeGroup | FargateProfile;

/** Subnets of a VPC that nothing leads out of, in the same cases. */
export interface Place {
  readonly vpc: Vpc;
  readonly when: When;
  readonly tables: Set<Table>;
  readonly subnets: Set<Subnet>;
  readonly users: Set<User>;
  /** Why they may do without; it is the same for all of the users. */
  readonly doubt: string | undefined;
}

export class Places {
  private readonly byKey = new Map<Vpc, Map<string, Place>>();

  add(user: User, subnet: Subnet, { vpc, table, when }: Extract<WayOut, { kind: 'closed' }>): void {
    const doubt = doubtOf(user);
    const key = `${when.text}\n${doubt ?? ''}`;
    const ofVpc = this.byKey.get(vpc) ?? new Map<string, Place>();
    this.byKey.set(vpc, ofVpc);
    const place = ofVpc.get(key) ?? { vpc, when, tables: new Set(), subnets: new Set(), users: new Set(), doubt };
    ofVpc.set(key, place);
    place.tables.add(table);
    place.subnets.add(subnet);
    place.users.add(user);
  }

  *[Symbol.iterator](): Generator<Place> {
    for (const ofVpc of this.byKey.values()) yield* ofVpc.values();
  }
}

/** Why a user may do without the endpoints, or have them already. */
function doubtOf(user: User): string | undefined {
  const action = user.planned?.action;
  const name = resourceName(user);
  if (action === 'update' || action === 'none')
    return `${name} exists already, so that something that the input doesn't show may be the way out`;
  if (user.kind === 'fargate-profile') return undefined;
  for (const { value } of alternativesOf(launchTemplateOf(user))) {
    if (value.kind === 'unknown') return `of ${name}, ${value.reason}`;
    if (value.kind !== 'known') continue;
    for (const image of alternativesOf(value.value.imageId))
      if (hasOwnContent(image.value)) return `the AMI of ${name}, which isn't one of AWS's, may hold what nodes need`;
    for (const userData of alternativesOf(value.value.userData)) {
      const doubt = proxyIn(userData.value);
      if (doubt !== undefined) return `the user data of ${name} ${doubt}`;
    }
  }
  return undefined;
}

function hasOwnContent(image: Plain<Image>): boolean {
  return image.kind === 'unknown' || (image.kind === 'known' && image.value.isPublished !== true);
}

/** A proxy within the VPC is another way out. */
function proxyIn(userData: Plain<UserData>): string | undefined {
  if (userData.kind === 'unknown') return `isn't known (${userData.reason})`;
  return userData.kind === 'known' && /proxy(?!-mode)/i.test(userData.value.text.text.replaceAll('kube-proxy', ''))
    ? 'speaks of a proxy'
    : undefined;
}

interface Words extends Readonly<Record<string, string>> {
  readonly vpc: string;
  readonly subnets: string;
  readonly users: string;
}

export function wordsFor({ vpc, subnets, users }: Place): Words {
  return { vpc: resourceName(vpc), subnets: counted('subnet', [...subnets]), users: usersInWords([...users]) };
}

/** `nodes of node groups "A" and "B" and pods of Fargate profile "C"`. */
export function usersInWords(all: readonly User[]): string {
  const groups = all.filter(({ kind }) => kind !== 'fargate-profile');
  const profiles = all.filter(({ kind }) => kind === 'fargate-profile');
  const called = [
    ...(groups.length > 0 ? [`nodes of ${counted('node group', groups)}`] : []),
    ...(profiles.length > 0 ? [`pods of ${counted('Fargate profile', profiles)}`] : []),
  ];
  return called.join(' and ');
}

/** `subnets "A" and "B"`. */
export function counted(noun: string, resources: readonly Resource[]): string {
  const names = inNameOrder(resources, (one) => one).map((one) => `"${resourceName(one)}"`);
  return `${noun}${names.length === 1 ? '' : 's'} ${listOf(names)}`;
}

export function relatedTo({ users, subnets }: Place): readonly RelatedPlace[] {
  return [...inNameOrder([...users], (one) => one), ...inNameOrder([...subnets], (one) => one)].map((one) => ({
    message: `${one.kind === 'subnet' ? 'subnet' : one.kind === 'fargate-profile' ? 'Fargate profile' : 'node group'} "${resourceName(one)}"`,
    source: one.source,
  }));
}
