import type { EksResource, LaunchTemplate, Role } from '../../../eks';
import { always, type Value } from '../../../value';
import type { Template } from '../../../cloudformation/template';
import type { TemplateSet } from '../../../cloudformation/template-set';
import { EqualNames } from '../../parts/equal-names';

const LAUNCH_CONFIGURATION = 'AWS::AutoScaling::LaunchConfiguration';

/** Resources of all templates by their literal names; undefined where several have the same. */
interface ByName {
  readonly roles: ReadonlyMap<string, Role | undefined>;
  readonly launchTemplates: ReadonlyMap<string, LaunchTemplate | undefined>;
  /** They have names of their own, next to those of launch templates. */
  readonly launchConfigurations: ReadonlyMap<string, LaunchTemplate | undefined>;
  readonly alike: { readonly [K in 'launchTemplates' | 'launchConfigurations']: EqualNames<LaunchTemplate> };
}

const indexes = new WeakMap<TemplateSet, ByName>();

/** The role with a literal name; undefined if there is none or more than one. */
export function roleNamed(name: string, set: TemplateSet): Role | undefined {
  return indexOf(set).roles.get(name);
}

export function launchTemplateNamed(name: string, set: TemplateSet): LaunchTemplate | undefined {
  return indexOf(set).launchTemplates.get(name);
}

export function launchConfigurationNamed(name: string, set: TemplateSet): LaunchTemplate | undefined {
  return indexOf(set).launchConfigurations.get(name);
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
  const found = {
    roles: new Map<string, Role | undefined>(),
    launchTemplates: new Map<string, LaunchTemplate | undefined>(),
    launchConfigurations: new Map<string, LaunchTemplate | undefined>(),
    alike: {
      launchTemplates: new EqualNames<LaunchTemplate>(),
      launchConfigurations: new EqualNames<LaunchTemplate>(),
    },
  };
  for (const { models } of set.templates) {
    for (const model of models.values() as Iterable<EksResource>) {
      if (model.kind === 'role') add(found.roles, model);
      else if (model.kind === 'launch-template') {
        const kind = model.type === LAUNCH_CONFIGURATION ? 'launchConfigurations' : 'launchTemplates';
        add(found[kind], model);
        found.alike[kind].add(model.name, model.stack, model);
      }
    }
  }
  return found;
}

function add<T extends Role | LaunchTemplate>(byName: Map<string, T | undefined>, resource: T): void {
  if (resource.name.kind !== 'known') return;
  const name = resource.name.value;
  byName.set(name, byName.has(name) ? undefined : resource);
}
