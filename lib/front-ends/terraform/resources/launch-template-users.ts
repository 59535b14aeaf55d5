import { alternativesOf, type Plain, type Unknown } from '../../../value';
import { ComposedText, UnknownBase64, UnorderedText } from '../../../value/composed-text';
import { UnknownCollection } from '../../../terraform/evaluation/unknown-collection';
import type { TerraformInstance } from '../../../terraform/instance';
import { ResourceObject } from '../../../terraform/resource-object';
import {
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../../terraform/terraform-value';
import type { Registry } from './registry';

const TEMPLATE = 'aws_launch_template';
/** What may start instances from a template, so that one that can't be told may be any. */
const LAUNCHING: ReadonlySet<string> = new Set([
  'aws_autoscaling_group',
  'aws_ec2_fleet',
  'aws_spot_fleet_request',
  'aws_instance',
]);
/** Keys below which a text names a launch template. */
const TEMPLATE_KEY = /launch_?template/i;
/** The same in a manifest that is a text; Karpenter had it. */
const TEMPLATE_IN_TEXT = /\blaunchTemplate(?:Name)?["']?:[ \t]*["']?([\w()./-]+)/g;
const ADDRESS = /(?:module\.[\w-]+(?:\[[^\]]{0,500}\])?\.){0,20}aws_launch_template\.[\w-]+/g;

const usersByRegistry = new WeakMap<Registry, LaunchTemplateUsers>();

/** What uses the launch templates of an input. */
export function launchTemplateUsersIn(registry: Registry): LaunchTemplateUsers {
  let users = usersByRegistry.get(registry);
  if (users === undefined) usersByRegistry.set(registry, (users = new LaunchTemplateUsers(registry)));
  return users;
}

/** What uses each block of a launch template besides managed node groups, in the order of the input. */
class LaunchTemplateUsers {
  private readonly byBlock = new Map<string, Set<string>>();
  private readonly byName = new Map<string, Set<string>>();
  private readonly byStack = new Map<string, Set<string>>();
  private readonly blocksByAddress = new Map<string, Set<string>>();

  constructor(private readonly registry: Registry) {
    const templates = registry.instancesOf(TEMPLATE);
    for (const template of templates)
      add(this.blocksByAddress, `${template.stack} ${plainAddress(template.address)}`, blockOf(template));
    for (const instance of registry.all) {
      const { type, mode, stack, address } = instance;
      if (mode === 'managed' && (type === 'aws_eks_node_group' || type === TEMPLATE)) continue;
      this.visit(instance.attributes, new Visit(stack, `${address} uses it`, LAUNCHING.has(type), type === TEMPLATE));
    }
    for (const template of firstOfEachStack(templates)) {
      for (const { clause, value } of template.handedOut ?? []) {
        if (value === undefined) add(this.byStack, template.stack, clause);
        else this.visit(value, new Visit(template.stack, clause, false));
      }
    }
  }

  /** @param template one of the instances of a block; the others count too */
  of(template: TerraformInstance): readonly string[] {
    const block = blockOf(template);
    const siblings = this.registry.instancesOf(TEMPLATE).filter((one) => blockOf(one) === block);
    const found = new Set(this.byBlock.get(block));
    for (const sibling of siblings) {
      const name = this.registry.text(sibling, 'name');
      for (const { value } of alternativesOf(name))
        if (value.kind === 'known') for (const clause of this.byName.get(value.value) ?? []) found.add(clause);
      for (const clause of this.byStack.get(sibling.stack) ?? []) found.add(clause);
    }
    return [...found];
  }

  private visit(value: TerraformValue, visit: Visit): void {
    for (const { value: plain } of alternativesOf(value)) {
      if (plain.kind === 'unknown') this.unknown(plain, visit);
      else if (plain.kind === 'known') this.known(plain, visit);
    }
  }

  private known({ value: item }: Extract<Plain<TerraformItem>, { kind: 'known' }>, visit: Visit): void {
    if (item instanceof ResourceObject) this.instance(item.instance, visit);
    else if (item instanceof TerraformMap) {
      for (const [key, entry] of item.entries) this.visit(entry, visit.below(key));
      for (const { value } of item.unsure) this.visit(value, visit);
      if (item.more !== undefined) this.unknown(item.more, visit);
    } else if (item instanceof TerraformList) for (const one of item.items) this.visit(one, visit);
    else if (typeof item === 'string') this.text(item, visit);
  }

  private text(text: string, { namesTemplates, clause }: Visit): void {
    if (namesTemplates) add(this.byName, text, clause);
    if (text.includes('launchTemplate'))
      for (const [, name = ''] of text.matchAll(TEMPLATE_IN_TEXT)) add(this.byName, name, clause);
  }

  private unknown(unknown: Unknown, visit: Visit): void {
    if (unknown instanceof ComposedText) for (const piece of unknown.pieces) this.visit(piece, visit);
    else if (unknown instanceof UnorderedText) this.unknown(unknown.ordered, visit);
    else if (unknown instanceof UnknownBase64) this.unknown(unknown.decoded, visit);
    else if (unknown instanceof UnknownCollection) this.visit(unknown.shape.element, visit);
    const { reference, text, symbol } = unknown;
    if (reference !== undefined) this.instance(reference.resource, visit);
    for (const address of [...(text ?? '').matchAll(ADDRESS), ...(symbol ?? '').matchAll(ADDRESS)])
      this.address(address[0], visit);
    if (reference === undefined && text === undefined && symbol === undefined && visit.mayLaunch)
      add(this.byStack, visit.stack, visit.clause.replace(/ uses it$/, ' may use it'));
  }

  private instance(resource: object, visit: Visit): void {
    if ('type' in resource && resource.type === TEMPLATE)
      add(this.byBlock, blockOf(resource as TerraformInstance), visit.clause);
  }

  private address(address: string, { stack, clause }: Visit): void {
    for (const block of this.blocksByAddress.get(`${stack} ${plainAddress(address)}`) ?? [])
      add(this.byBlock, block, clause);
  }
}

/** A value that is looked through. */
class Visit {
  constructor(
    readonly stack: string,
    /** What it means if a launch template is in it. */
    readonly clause: string,
    /** Whether it is of something that starts instances. */
    private readonly isLaunching: boolean,
    /** Whether texts of it are names of launch templates. */
    readonly namesTemplates = false,
    /** Whether what isn't known of it may be a launch template. */
    readonly mayLaunch = false,
  ) {}

  below(key: string): Visit {
    const names = this.namesTemplates || TEMPLATE_KEY.test(key);
    const launches =
      this.mayLaunch || (this.isLaunching && (TEMPLATE_KEY.test(key) || key === 'mixed_instances_policy'));
    return names === this.namesTemplates && launches === this.mayLaunch
      ? this
      : new Visit(this.stack, this.clause, this.isLaunching, names, launches);
  }
}

/** What an instance is made of: those of one block have it in common, whichever call of its module they are of. */
function blockOf({ source }: TerraformInstance): string {
  const { file, line, column } = source.locate();
  return `${file}:${line}:${column}`;
}

function plainAddress(address: string): string {
  return address.replaceAll(/\[[^\]]{0,500}\]/g, '');
}

function firstOfEachStack(templates: readonly TerraformInstance[]): readonly TerraformInstance[] {
  return [...new Map(templates.map((template) => [template.stack, template])).values()];
}

function add(map: Map<string, Set<string>>, key: string, clause: string): void {
  const clauses = map.get(key);
  if (clauses === undefined) map.set(key, new Set([clause]));
  else clauses.add(clause);
}
