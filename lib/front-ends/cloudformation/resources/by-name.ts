import type { EksResource, LaunchTemplate, Role } from '../../../eks';
import { always, type Value } from '../../../value';
import type { Template } from '../../../cloudformation/template';
import type { TemplateSet } from '../../../cloudformation/template-set';
import { inWords } from '../../../text/in-words';
import { Ambiguous } from '../../parts/references';
import { EqualNames } from '../../parts/equal-names';

const LAUNCH_CONFIGURATION = 'AWS::AutoScaling::LaunchConfiguration';

/** A resource with a literal name, and the template that it stands in. */
interface Named<T> {
  readonly resource: T;
  readonly template: Template;
}

/** Resources of all templates by their literal names. */
interface ByName {
  readonly roles: Map<string, Named<Role>[]>;
  readonly launchTemplates: Map<string, Named<LaunchTemplate>[]>;
  /** They have names of their own, next to those of launch templates. */
  readonly launchConfigurations: Map<string, Named<LaunchTemplate>[]>;
  readonly alikeRoles: EqualNames<Role>;
  readonly alike: { readonly [K in 'launchTemplates' | 'launchConfigurations']: EqualNames<LaunchTemplate> };
}

const indexes = new WeakMap<TemplateSet, ByName>();

/** The role with a literal name, as a template means it; undefined if there is none. */
export function roleNamed(name: string, from: Template): Role | Ambiguous<Role> | undefined {
  return nearest(name, indexOf(from.set).roles, from);
}

/** The role whose name isn't known, but equal to another that isn't. */
export function roleCalledLike(name: Value<string>, { set, stack }: Template): Role | undefined {
  return indexOf(set).alikeRoles.get(name, stack);
}

export function launchTemplateNamed(
  name: string,
  from: Template,
): LaunchTemplate | Ambiguous<LaunchTemplate> | undefined {
  return nearest(name, indexOf(from.set).launchTemplates, from);
}

export function launchConfigurationNamed(
  name: string,
  from: Template,
): LaunchTemplate | Ambiguous<LaunchTemplate> | undefined {
  return nearest(name, indexOf(from.set).launchConfigurations, from);
}

/** Of several, the one of the same template, else of the same stack, else of the same place. */
function nearest<T extends Role | LaunchTemplate>(
  name: string,
  index: ReadonlyMap<string, readonly Named<T>[]>,
  from: Template,
): T | Ambiguous<T> | undefined {
  const all = index.get(name);
  if (all === undefined || all.length === 1) return all?.[0]?.resource;
  const levels: readonly ((template: Template) => boolean)[] = [
    (template) => template === from,
    (template) => rootOf(template) === rootOf(from),
    ({ region, account }) => region === from.region && account === from.account,
  ];
  for (const isNear of levels) {
    const [near, other] = all.filter(({ template }) => isNear(template));
    if (near !== undefined && other === undefined) return near.resource;
    // Two of one template are no nearer to each other than what is elsewhere.
    if (near !== undefined) break;
  }
  return new Ambiguous(
    `${all.length} resources of the input are called ${name}: ${inWords(all.map(({ resource, template }) => `${resource.id} of ${template.stack}`))}`,
    all.map(({ resource }) => resource),
  );
}

function rootOf(template: Template): Template {
  let root = template;
  while (root.parent !== undefined) root = root.parent.template;
  return root;
}

/** The launch template, or configuration, whose name isn't known, but equal to another that isn't. */
export function launchTemplateCalledLike(
  name: Value<string>,
  { set, stack }: Template,
  kind: keyof ByName['alike'] = 'launchTemplates',
): LaunchTemplate | undefined {
  return indexOf(set).alike[kind].get(name, stack);
}

function indexOf(set: TemplateSet): ByName {
  let index = indexes.get(set);
  if (index === undefined) indexes.set(set, (index = set.evaluator.under(always, () => collect(set))));
  return index;
}

function collect(set: TemplateSet): ByName {
  const found: ByName = {
    roles: new Map(),
    launchTemplates: new Map(),
    launchConfigurations: new Map(),
    alikeRoles: new EqualNames<Role>(),
    alike: {
      launchTemplates: new EqualNames<LaunchTemplate>(),
      launchConfigurations: new EqualNames<LaunchTemplate>(),
    },
  };
  for (const template of set.templates) {
    for (const model of template.models.values() as Iterable<EksResource>) {
      if (model.kind === 'role') {
        add(found.roles, model, template);
        found.alikeRoles.add(model.name, model.stack, model);
      } else if (model.kind === 'launch-template') {
        const kind = model.type === LAUNCH_CONFIGURATION ? 'launchConfigurations' : 'launchTemplates';
        add(found[kind], model, template);
        found.alike[kind].add(model.name, model.stack, model);
      }
    }
  }
  return found;
}

function add<T extends Role | LaunchTemplate>(byName: Map<string, Named<T>[]>, resource: T, template: Template): void {
  if (resource.name.kind !== 'known') return;
  const known = byName.get(resource.name.value);
  if (known === undefined) byName.set(resource.name.value, [{ resource, template }]);
  else known.push({ resource, template });
}
