import { join } from 'node:path';
import type { Attribute, Body, Expression } from '../../languages/hcl/ast';
import { parseHcl } from '../../languages/hcl/parser';
import { keptByText } from '../../text/kept-by-text';
import { attributeOf, literalText, type DeclaredResource, type ModuleConfiguration } from './module-configuration';
import type { ModuleInstance } from './module-instance';
import { providerKey } from './provider-key';

const LOCK_FILE = '.terraform.lock.hcl';

/**
 * What decides the version of the provider of a resource: the one that the lock file of the root module has, else the constraints of the
 * modules from the root module to the resource.
 */
export function providerVersions(owner: ModuleInstance, declared: DeclaredResource): readonly string[] {
  const key = providerKey(attributeOf(declared, 'provider')?.value) ?? declared.type.split('_', 1)[0] ?? '';
  const [provider = ''] = key.split('.', 1);
  const modules: ModuleConfiguration[] = [];
  for (let module: ModuleInstance | undefined = owner; module !== undefined; module = module.surroundings.parent)
    modules.push(module.configuration);
  const locked = lockedVersion(owner, sourceOf(provider, modules));
  return locked === undefined ? modules.flatMap((module) => constraintsIn(module, provider)) : [locked];
}

/** Of modules that were asked about, which is done for each resource. */
const requirements = new WeakMap<ModuleConfiguration, readonly Attribute[]>();

/** The objects that `required_providers` has for a provider; before Terraform 0.13 it had the constraint itself. */
function requirementsIn(module: ModuleConfiguration, provider: string): readonly Expression[] {
  let all = requirements.get(module);
  if (all === undefined)
    requirements.set(
      module,
      (all = module.files.flatMap(({ body }) =>
        blocksOf(body, 'terraform').flatMap((inner) =>
          blocksOf(inner, 'required_providers').flatMap(({ attributes }) => attributes),
        ),
      )),
    );
  return all.flatMap(({ name, value }) => (name === provider ? [value] : []));
}

function constraintsIn(module: ModuleConfiguration, provider: string): readonly string[] {
  const own = module.providers.get(provider);
  const old = own === undefined ? undefined : literalText(own, 'version');
  return [
    ...requirementsIn(module, provider).flatMap((value) => textOf(value) ?? textOf(entryOf(value, 'version')) ?? []),
    ...(old === undefined ? [] : [old]),
  ];
}

/** The address of a provider in the registry. */
function sourceOf(provider: string, modules: readonly ModuleConfiguration[]): string {
  const [written] = modules.flatMap((module) =>
    requirementsIn(module, provider).flatMap((value) => textOf(entryOf(value, 'source')) ?? []),
  );
  return (written ?? `hashicorp/${provider}`).toLowerCase();
}

function lockedVersion({ run }: ModuleInstance, source: string): string | undefined {
  const file = run.shared.access.read(join(run.folder, LOCK_FILE));
  if ('problem' in file) return undefined;
  const block = lockedIn(file.text).find(
    ({ type, labels }) => type === 'provider' && (labels[0] === source || labels[0]?.endsWith(`/${source}`) === true),
  );
  return textOf(block?.body.attributes.find(({ name }) => name === 'version')?.value);
}

const lockedIn = keptByText((text) => parseHcl(text).body.blocks);

function blocksOf({ blocks }: Body, type: string): readonly Body[] {
  return blocks.flatMap((block) => (block.type === type ? [block.body] : []));
}

function entryOf(value: Expression, name: string): Expression | undefined {
  if (value.kind !== 'object') return undefined;
  return value.entries.find(
    ({ key }) => (key.kind === 'literal' && key.value === name) || (key.kind === 'variable' && key.name === name),
  )?.value;
}

function textOf(value: Expression | undefined): string | undefined {
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}
