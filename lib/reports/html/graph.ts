import type {
  Cluster,
  ClusterView,
  EksModel,
  EksResource,
  LaunchTemplate,
  NodeGroup,
  Reference,
  Role,
  SelfManagedNodeGroup,
  Subnet,
} from '../../eks';
import { count } from '../prose';
import { cardOf, type Box, type Card, type Drawing, type Edge, type Section } from './card';
import {
  addonLines,
  clusterLines,
  nameOf,
  nodeGroupLines,
  podIdentitiesOf,
  podIdentityName,
  policyText,
  referencesOf,
  selfManagedLines,
  shown,
  subnetsOf,
  subnetText,
  templateLines,
  templatesOf,
  withoutArn,
} from './describe';
import { fold } from './fold';
import type { Marks } from './marks';

/** Clusters that are drawn one by one. */
const MOST_CLUSTERS = 16;

/** Cards of all clusters together, and of one section of one cluster at most. */
const MOST_CARDS = 160;
const MOST_IN_SECTION = 14;

/** Cards beside the clusters, on each side. */
const MOST_BESIDE = 60;

/** Cards beside the clusters that nothing uses and that have no findings. */
const MOST_UNUSED = 6;

/** Lines of a card that list its parts. */
const MOST_ROWS = 8;

const OUTSIDE = 'not part of this input';

type Group = NodeGroup | SelfManagedNodeGroup;

/** A cluster with the parts of all views that name it. */
interface Whole {
  readonly cluster: Cluster | undefined;
  readonly name: string;
  readonly views: readonly ClusterView[];
}

/** Something that is drawn beside the clusters: resources of the input, or what only has a name. */
interface Beside {
  readonly key: object | string;
  readonly resources: readonly EksResource[];
  readonly card: () => Card;
}

/** Draws what a model declares. Linear, and the same for the same model; never more than a few hundred cards. */
export function drawingOf(model: EksModel, marks: Marks): Drawing {
  return new Drawer(model, marks).drawing();
}

class Drawer {
  private readonly left: Column;
  private readonly right: Column;
  private readonly boxes: Box[] = [];
  /** By subnet, or by the name of one that isn't part of the input: equal for those with the same users. */
  private readonly subnetKeys: ReadonlyMap<Subnet | string, string>;
  private readonly subnetSets = new Map<string, (Subnet | string)[]>();
  private readonly subnetCards = new Map<string, Beside>();
  private readonly hasStacks: boolean;

  constructor(
    private readonly model: EksModel,
    private readonly marks: Marks,
  ) {
    this.left = new Column(marks);
    this.right = new Column(marks);
    this.hasStacks = new Set(model.resources.map(({ stack }) => stack)).size > 1;
    this.subnetKeys = this.usersOfSubnets();
    for (const [subnet, key] of this.subnetKeys) {
      const known = this.subnetSets.get(key);
      if (known === undefined) this.subnetSets.set(key, [subnet]);
      else known.push(subnet);
    }
  }

  drawing(): Drawing {
    const all = wholes(this.model.clusterViews);
    const chosen = all.length <= MOST_CLUSTERS ? all : this.worst(all);
    const room = Math.max(4, Math.floor(MOST_CARDS / Math.max(1, chosen.length)));
    for (const whole of chosen) this.boxes.push(this.box(whole, room));
    const others = all.filter((whole) => !chosen.includes(whole));
    if (others.length > 0) this.boxes.push(this.moreClusters(others));
    this.rest();
    return {
      left: this.left.cards,
      boxes: this.boxes,
      right: this.right.cards,
      edges: [...this.left.edges, ...this.right.edges],
    };
  }

  private worst(all: readonly Whole[]): readonly Whole[] {
    const ranked = all.map((whole) => ({ whole, rank: this.marks.rank(resourcesOf(whole)) }));
    const kept = new Set(
      ranked
        .sort((a, b) => a.rank - b.rank)
        .slice(0, MOST_CLUSTERS)
        .map(({ whole }) => whole),
    );
    return all.filter((whole) => kept.has(whole));
  }

  private box(whole: Whole, room: number): Box {
    const { cluster, name, views } = whole;
    const head =
      cluster === undefined
        ? cardOf({ kind: 'cluster', type: this.clusterType(views), title: name, lines: [OUTSIDE], isOutside: true })
        : cardOf({
            kind: 'cluster',
            type: this.clusterType(views),
            title: nameOf(cluster, cluster.name),
            lines: clusterLines(cluster),
            mark: this.marks.of([cluster]),
          });
    if (cluster !== undefined) for (const role of referencesOf(cluster.role)) this.useRole(head, role);
    const all = <T>(of: (view: ClusterView) => readonly T[]) => views.flatMap(of);
    const inSection = (share: number) => Math.max(2, Math.min(MOST_IN_SECTION, Math.floor(room * share)));
    const groups = this.groups(
      all<Group>((view) => [...view.nodeGroups, ...view.selfManagedNodeGroups]),
      inSection(0.4),
    );
    const addons = this.parts(
      all((view) => view.addons),
      inSection(0.3),
      'Add-on',
      'add-ons',
      (addon) => ({ title: shown(addon.name) ?? addon.id, kind: 'addon', lines: addonLines(addon) }),
    );
    const profiles = this.parts(
      all((view) => view.fargateProfiles),
      inSection(0.1),
      'Fargate profile',
      'Fargate profiles',
      (profile) => ({ title: nameOf(profile), kind: 'nodes' }),
    );
    const identities = this.parts(
      all((view) => view.podIdentityAssociations),
      inSection(0.1),
      'Pod identity',
      'pod identities',
      (identity) => ({ title: podIdentityName(identity), kind: 'other' }),
    );
    const sections: Section[] = [
      { heading: 'Nodes', cards: [...groups, ...profiles] },
      { heading: 'Add-ons', cards: addons },
      { heading: 'Pod identities', cards: identities },
      {
        heading: 'Access and Kubernetes objects',
        cards: [
          ...this.summary(
            all((view) => view.accessEntries),
            'Access',
            'access entry',
            'access entries',
          ),
          ...this.summary(
            all((view) => [...view.manifests, ...view.patches]),
            'Kubernetes',
            'object',
            'objects',
          ),
          ...this.summary(
            all((view) => view.helmReleases),
            'Helm',
            'release',
            'releases',
          ),
        ],
      },
    ];
    return { head, sections: sections.filter(({ cards }) => cards.length > 0) };
  }

  /** Clusters in stacks of their own often have the same name. */
  private clusterType(views: readonly ClusterView[]): string {
    const stacks = new Set(
      views.flatMap((view) =>
        resourcesOf({ cluster: view.cluster, name: '', views: [view] }).map(({ stack }) => stack),
      ),
    );
    const [stack = ''] = stacks;
    const isThere = stacks.size === 1 || views.some(({ cluster }) => cluster !== undefined);
    return this.hasStacks && isThere && stack !== '' && stack !== '.' ? `Cluster in ${stack}` : 'Cluster';
  }

  private groups(groups: readonly Group[], most: number): readonly Card[] {
    return this.parts(groups, most, 'Node group', 'node groups', (group) =>
      group.kind === 'node-group'
        ? { title: nameOf(group, group.name), kind: 'nodes', lines: nodeGroupLines(group) }
        : { title: nameOf(group), kind: 'nodes', lines: selfManagedLines(group) },
    );
  }

  private parts<T extends EksResource>(
    all: readonly T[],
    most: number,
    type: string,
    types: string,
    values: (part: T) => Pick<Card, 'title' | 'kind'> & Partial<Card>,
  ): readonly Card[] {
    const parts = all.filter(({ isImplied }) => isImplied !== true);
    const signature = (part: T) =>
      JSON.stringify([values(part).lines, templatesUsedBy(part), this.marks.signature(part), part.kind]);
    return fold(parts, { most, signature, rank: (part) => this.marks.rank([part]) }).flatMap(({ first, others }) => {
      const cards: Card[] = [];
      if (first !== undefined) {
        const card = cardOf({ type, ...values(first), mark: this.marks.of([first]) });
        this.useAll(card, first);
        cards.push(card);
      }
      if (others.length > 0)
        cards.push(this.more(others, type, types, first === undefined ? undefined : `like ${values(first).title}`));
      return cards;
    });
  }

  private more(others: readonly EksResource[], type: string, types: string, like: string | undefined): Card {
    const title =
      others.length === 1 ? `and 1 more ${like ?? type.toLowerCase()}` : `and ${others.length} more ${like ?? types}`;
    const card = cardOf({
      kind: 'more',
      type: others.length === 1 ? type : upperFirst(types),
      title,
      mark: this.marks.of(others),
      count: others.length,
    });
    for (const other of others) this.useAll(card, other, true);
    return card;
  }

  /** Kinds of which only the number matters, unless there are findings. */
  private summary(all: readonly EksResource[], type: string, one: string, many: string): readonly Card[] {
    if (all.length === 0) return [];
    const marked = all.filter((resource) => this.marks.of([resource]) !== undefined);
    const rows = rowsOf(marked.map((resource) => ({ text: nameOf(resource), mark: this.marks.of([resource]) })));
    const card = cardOf({ kind: 'other', type, title: count(all.length, one, many), rows, count: all.length });
    return [card];
  }

  private moreClusters(others: readonly Whole[]): Box {
    const resources = others.flatMap(resourcesOf);
    const number = (kind: EksResource['kind']) => resources.filter((resource) => resource.kind === kind).length;
    const lines = [
      `${count(number('node-group') + number('self-managed-node-group'), 'node group')}, ${count(number('addon'), 'add-on')}`,
    ];
    const head = cardOf({
      kind: 'more',
      type: 'Clusters',
      title: `and ${count(others.length, 'more cluster')}`,
      lines,
      mark: this.marks.of(resources),
      count: others.length,
    });
    return { head, sections: [] };
  }

  /** Ties a card to what a resource refers to. @param onlyDrawn what isn't drawn yet is left for the card that counts the rest */
  private useAll(card: Card, part: EksResource, onlyDrawn = false): void {
    if (part.kind === 'node-group' || part.kind === 'self-managed-node-group') {
      for (const template of templatesOf(part.launchTemplate)) this.useTemplate(card, template, onlyDrawn);
      for (const subnet of subnetsOf(part.subnets)) this.useSubnet(card, subnet, onlyDrawn);
      if (part.kind === 'node-group')
        for (const role of referencesOf(part.nodeRole)) this.useRole(card, role, onlyDrawn);
    } else if (part.kind === 'addon') {
      for (const role of referencesOf(part.serviceAccountRole)) this.useRole(card, role, onlyDrawn);
      for (const { role } of podIdentitiesOf(part))
        for (const reference of referencesOf(role)) this.useRole(card, reference, onlyDrawn);
    } else if (part.kind === 'pod-identity-association') {
      for (const role of referencesOf(part.role)) this.useRole(card, role, onlyDrawn);
    }
  }

  private useTemplate(card: Card, { target, text }: Reference<LaunchTemplate>, onlyDrawn: boolean): void {
    this.left.use(
      card,
      target === undefined ? outside('template', 'Launch template', text) : this.template(target),
      onlyDrawn,
    );
  }

  private useSubnet(card: Card, { target, text }: Reference<Subnet>, onlyDrawn: boolean): void {
    this.left.use(card, this.subnets(this.subnetKeys.get(target ?? text) ?? ''), onlyDrawn);
  }

  private useRole(card: Card, { target, text }: Reference<Role>, onlyDrawn = false): void {
    this.right.use(card, target === undefined ? outside('role', 'Role', text) : this.role(target), onlyDrawn);
  }

  private template(template: LaunchTemplate): Beside {
    const card = () =>
      cardOf({
        kind: 'template',
        type: 'Launch template',
        title: nameOf(template, template.name),
        lines: templateLines(template),
        mark: this.marks.of([template]),
      });
    return { key: template, resources: [template], card };
  }

  private role(role: Role): Beside {
    const card = () => {
      const rows = rowsOf([...new Set(role.policies.map(policyText))].map((text) => ({ text, mark: undefined })));
      return cardOf({ kind: 'role', type: 'Role', title: nameOf(role, role.name), rows, mark: this.marks.of([role]) });
    };
    return { key: role, resources: [role], card };
  }

  /** Subnets with the same users are one card. */
  private subnets(key: string): Beside {
    let beside = this.subnetCards.get(key);
    if (beside === undefined) this.subnetCards.set(key, (beside = this.subnetCard(key)));
    return beside;
  }

  private subnetCard(key: string): Beside {
    const all = this.subnetSets.get(key) ?? [];
    const resources = all.filter((subnet) => typeof subnet !== 'string');
    const card = () => {
      const isOutside = resources.length === 0;
      const rows = rowsOf(
        all.map((subnet) =>
          typeof subnet === 'string'
            ? { text: subnet, mark: undefined }
            : { text: subnetText(subnet), mark: this.marks.of([subnet]) },
        ),
      );
      return cardOf({
        kind: 'subnets',
        type: 'Network',
        title: count(all.length, 'subnet'),
        lines: isOutside ? [OUTSIDE] : [],
        rows,
        isOutside,
        count: all.length,
      });
    };
    return { key: `subnets ${key}`, resources, card };
  }

  private usersOfSubnets(): ReadonlyMap<Subnet | string, string> {
    const users = new Map<Subnet | string, number[]>();
    for (const resource of this.model.resources) if (resource.kind === 'subnet') users.set(resource, []);
    [...this.model.nodeGroups, ...this.model.selfManagedNodeGroups].forEach((group, index) => {
      for (const { target, text } of subnetsOf(group.subnets)) {
        const known = users.get(target ?? text);
        if (known === undefined) users.set(target ?? text, [index]);
        else if (known.at(-1) !== index) known.push(index);
      }
    });
    return new Map(
      [...users].map(([subnet, groups]) => [
        subnet,
        `${typeof subnet === 'string' ? 'outside ' : ''}${groups.join(' ')}`,
      ]),
    );
  }

  /** What no card uses that is drawn: one by one if it has findings or is little, else as a number. */
  private rest(): void {
    const subnets = [...this.subnetSets.keys()].map((key) => this.subnets(key));
    this.left.rest(
      this.model.launchTemplates.map((template) => this.template(template)),
      'Launch template',
      'launch templates',
      MOST_UNUSED,
    );
    this.left.rest(subnets, 'Subnet', 'subnets', 0);
    this.left.rest(
      this.model.securityGroups.map((group) => this.plain(group, 'Security group')),
      'Security group',
      'security groups',
      0,
    );
    this.right.rest(
      this.model.roles.map((role) => this.role(role)),
      'Role',
      'roles',
      this.boxes.length === 0 ? MOST_UNUSED : 0,
    );
    this.right.rest(
      this.model.oidcProviders.map((provider) => this.plain(provider, 'OIDC provider')),
      'OIDC provider',
      'OIDC providers',
      MOST_UNUSED,
    );
  }

  private plain(resource: EksResource, type: string): Beside {
    return {
      key: resource,
      resources: [resource],
      card: () => cardOf({ kind: 'other', type, title: nameOf(resource), mark: this.marks.of([resource]) }),
    };
  }
}

/** Cards beside the clusters, each once, with the edges that lead to them. */
class Column {
  readonly cards: Card[] = [];
  /** Also of what is counted on a card that stands for many. */
  private readonly byKey = new Map<object | string, Card>();
  private readonly users = new Map<Card, Set<object | string>>();

  constructor(private readonly marks: Marks) {}

  use(from: Card, beside: Beside, onlyDrawn: boolean): void {
    const known = this.users.get(from) ?? new Set();
    this.users.set(from, known.add(beside.key));
    if (!onlyDrawn && !this.byKey.has(beside.key) && this.cards.length < MOST_BESIDE) this.add(beside);
  }

  /** To be asked when all cards are there. */
  get edges(): readonly Edge[] {
    return [...this.users].flatMap(([from, keys]) =>
      [...new Set([...keys].flatMap((key) => this.byKey.get(key) ?? []))].map((to) => ({ from, to })),
    );
  }

  rest(all: readonly Beside[], type: string, types: string, mostUnused: number): void {
    const left = all.filter(
      ({ key, resources }) => !this.byKey.has(key) && resources.some(({ isImplied }) => isImplied !== true),
    );
    const marked = left.filter(({ resources }) => this.marks.of(resources) !== undefined);
    const drawn = new Set(
      left.length <= mostUnused ? left : marked.slice(0, Math.max(0, MOST_BESIDE - this.cards.length)),
    );
    for (const beside of drawn) this.add(beside);
    const counted = left.filter((beside) => !drawn.has(beside));
    const others = counted.flatMap(({ resources }) => resources);
    if (others.length === 0) return;
    const isAlone = others.length === all.reduce((sum, { resources }) => sum + resources.length, 0);
    const title = `${isAlone ? '' : 'and '}${count(others.length, `${isAlone ? '' : 'more '}${lowerFirst(type)}`, `${isAlone ? '' : 'more '}${types}`)}`;
    const card = cardOf({
      kind: 'more',
      type: upperFirst(types),
      title,
      mark: this.marks.of(others),
      count: others.length,
    });
    this.cards.push(card);
    for (const { key } of counted) this.byKey.set(key, card);
  }

  private add({ key, card: make }: Beside): Card {
    const card = make();
    this.byKey.set(key, card);
    this.cards.push(card);
    return card;
  }
}

/** What tells apart node groups that read alike. */
function templatesUsedBy(part: EksResource): readonly (string | readonly string[])[] {
  if (part.kind !== 'node-group' && part.kind !== 'self-managed-node-group') return [];
  return templatesOf(part.launchTemplate).map(({ target, text }) =>
    target === undefined ? text : templateLines(target),
  );
}

function outside(kind: Card['kind'], type: string, text: string): Beside {
  return {
    key: `${type} ${text}`,
    resources: [],
    card: () => cardOf({ kind, type, title: withoutArn(text), lines: [OUTSIDE], isOutside: true }),
  };
}

function rowsOf(rows: readonly Card['rows'][number][]): Card['rows'] {
  if (rows.length <= MOST_ROWS) return rows;
  const ordered = [...rows.filter(({ mark }) => mark !== undefined), ...rows.filter(({ mark }) => mark === undefined)];
  return [...ordered.slice(0, MOST_ROWS - 1), { text: `and ${rows.length - MOST_ROWS + 1} more`, mark: undefined }];
}

/** Views with the names of the input's clusters; parts of one app or folder whose cluster has the same name, or none that is known, are drawn together. */
function wholes(views: readonly ClusterView[]): readonly Whole[] {
  const byName = new Map<object | string, ClusterView[]>();
  for (const view of views) {
    const parts = resourcesOf({ cluster: undefined, name: view.name, views: [view] });
    if (view.cluster === undefined && parts.every(({ isImplied }) => isImplied === true)) continue;
    const key = view.cluster ?? JSON.stringify([view.name, ...parts.slice(0, 1).map(homeOf)]);
    const known = byName.get(key);
    if (known === undefined) byName.set(key, [view]);
    else known.push(view);
  }
  return [...byName.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ cluster: first.cluster, name: first.name, views: same }];
  });
}

/** Where a name means one cluster: a root module or a plan, or the folder of templates that are deployed together. In other places, other clusters may have that name. */
function homeOf({ dialect, stack, source }: EksResource): string {
  return dialect.scopeOfNames === 'stack' ? stack : source.locate().file.replace(/(?<![^/\\])[^/\\]*$/, '');
}

function resourcesOf({ cluster, views }: Whole): readonly EksResource[] {
  const parts = views.flatMap((view): EksResource[] => [
    ...view.nodeGroups,
    ...view.selfManagedNodeGroups,
    ...view.addons,
    ...view.podIdentityAssociations,
    ...view.fargateProfiles,
    ...view.accessEntries,
    ...view.manifests,
    ...view.patches,
    ...view.helmReleases,
  ]);
  return cluster === undefined ? parts : [cluster, ...parts];
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) && !text.startsWith('Fargate') ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
