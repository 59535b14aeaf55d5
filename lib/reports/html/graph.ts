import type {
  Addon,
  ClusterView,
  EksModel,
  EksResource,
  LaunchTemplate,
  NodeGroup,
  Reference,
  Role,
  SelfManagedNodeGroup,
} from '../../eks';
import { resourceName } from '../../eks';
import { count } from '../prose';
import { Column, outside, OUTSIDE, rowsOf, upperFirst, type Beside } from './beside';
import { cardOf, type Box, type Card, type Drawing, type Section } from './card';
import {
  addonLines,
  clusterLines,
  nodeGroupLines,
  notesOf,
  podIdentitiesOf,
  podIdentityName,
  policyText,
  referencesOf,
  selfManagedLines,
  shown,
  subnetsOf,
  templateLines,
  templatesOf,
} from './describe';
import { fold } from './fold';
import type { Marks } from './marks';
import { givenName } from './names';
import { Network } from './network';
import { resourcesOf, wholes, type Whole } from './wholes';

/** Clusters that are drawn one by one. */
const MOST_CLUSTERS = 16;

/** Cards of all clusters together, and of one section of one cluster at most. */
const MOST_CARDS = 160;
const MOST_IN_SECTION = 14;

/** Cards beside the clusters that nothing uses and that have no findings. */
const MOST_UNUSED = 6;

type Group = NodeGroup | SelfManagedNodeGroup;

/** Draws what a model declares. Linear, and the same for the same model; never more than a few hundred cards. */
export function drawingOf(model: EksModel, marks: Marks): Drawing {
  return new Drawer(model, marks).drawing();
}

class Drawer {
  private readonly left: Column;
  private readonly right: Column;
  private readonly boxes: Box[] = [];
  private readonly network: Network;
  private readonly hasStacks: boolean;

  constructor(
    private readonly model: EksModel,
    private readonly marks: Marks,
  ) {
    this.left = new Column(marks);
    this.right = new Column(marks);
    this.hasStacks = new Set(model.resources.map(({ stack }) => stack)).size > 1;
    this.network = new Network(model, marks);
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
            title: givenName(cluster, cluster.name),
            name: resourceName(cluster),
            lines: clusterLines(cluster),
            notes: notesOf(cluster),
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
      (addon) => ({ title: addonName(addon), kind: 'addon', lines: addonLines(addon), notes: notesOf(addon) }),
    );
    const profiles = this.parts(
      all((view) => view.fargateProfiles),
      inSection(0.1),
      'Fargate profile',
      'Fargate profiles',
      (profile) => ({ title: givenName(profile), kind: 'nodes' }),
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
        ? { title: givenName(group, group.name), kind: 'nodes', lines: nodeGroupLines(group), notes: notesOf(group) }
        : { title: givenName(group), kind: 'nodes', lines: selfManagedLines(group), notes: notesOf(group) },
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
        const card = cardOf({ type, name: resourceName(first), ...values(first), mark: this.marks.of([first]) });
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
    const rows = rowsOf(
      marked.map((resource) => ({
        text: givenName(resource),
        name: nameIfLonger(resource),
        mark: this.marks.of([resource]),
      })),
    );
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
      for (const subnet of subnetsOf(part.subnets)) this.left.use(card, this.network.of(subnet), onlyDrawn);
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

  private useRole(card: Card, { target, text }: Reference<Role>, onlyDrawn = false): void {
    this.right.use(card, target === undefined ? outside('role', 'Role', text) : this.role(target), onlyDrawn);
  }

  private template(template: LaunchTemplate): Beside {
    const card = () =>
      cardOf({
        kind: 'template',
        type: 'Launch template',
        title: givenName(template, template.name),
        name: resourceName(template),
        lines: templateLines(template),
        notes: notesOf(template),
        mark: this.marks.of([template]),
      });
    return { key: template, resources: [template], card };
  }

  private role(role: Role): Beside {
    const card = () => {
      const names = new Map(
        role.policies.map((policy) => [policyText(policy), policy.kind === 'document' ? policy.name : undefined]),
      );
      const rows = rowsOf([...names].map(([text, name]) => ({ text, name, mark: undefined })));
      return cardOf({
        kind: 'role',
        type: 'Role',
        title: givenName(role, role.name),
        name: resourceName(role),
        rows,
        mark: this.marks.of([role]),
      });
    };
    return { key: role, resources: [role], card };
  }

  /** What no card uses that is drawn: one by one if it has findings or is little, else as a number. */
  private rest(): void {
    this.left.rest(
      this.model.launchTemplates.map((template) => this.template(template)),
      'Launch template',
      'launch templates',
      MOST_UNUSED,
    );
    this.left.rest(this.network.all(), 'Subnet', 'subnets', 0);
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
      card: () =>
        cardOf({
          kind: 'other',
          type,
          title: givenName(resource),
          name: resourceName(resource),
          mark: this.marks.of([resource]),
        }),
    };
  }
}

/** What tells apart node groups that read alike. */
function templatesUsedBy(part: EksResource): readonly (string | readonly string[])[] {
  if (part.kind !== 'node-group' && part.kind !== 'self-managed-node-group') return [];
  return templatesOf(part.launchTemplate).map(({ target, text }) =>
    target === undefined ? text : templateLines(target),
  );
}

/** Add-ons are known by their names; if that isn't known, by what the code calls them. */
function addonName(addon: Addon): string {
  return addon.name.kind === 'unknown' && addon.name.text === undefined
    ? givenName(addon)
    : (shown(addon.name) ?? givenName(addon));
}

function nameIfLonger(resource: EksResource): string | undefined {
  const name = resourceName(resource);
  return name === givenName(resource) ? undefined : name;
}
