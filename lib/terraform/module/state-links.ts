import { isAbsolute, join, normalize } from 'node:path';
import type { ConfigurationFile } from '../configuration-file';
import type { Block, Body, Expression } from '../../languages/hcl/ast';
import { TerraformBlock } from '../block';
import type { RootModule } from './root-module';
import type { StateRequest } from './run';

/** Arguments that tell which state a backend means, by its type; each of the lists is enough. */
const STATE_KEYS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['s3', [['bucket', 'key']]],
  ['gcs', [['bucket', 'prefix']]],
  ['azurerm', [['storage_account_name', 'container_name', 'key']]],
  ['oss', [['bucket', 'prefix', 'key']]],
  ['cos', [['bucket', 'prefix', 'key']]],
  ['http', [['address']]],
  ['consul', [['address', 'path']]],
  ['remote', [['organization', 'workspaces.name']]],
]);

/**
 * The root module whose state a `terraform_remote_state` reads: the stack of the same CDKTF app that its name tells, or the one that keeps its
 * state in that place. Undefined where it isn't certain.
 * @param asking the root module with the data source
 */
export function stateOf<T extends { readonly root: RootModule }>(
  request: StateRequest,
  asking: RootModule,
  states: readonly T[],
): T | undefined {
  const others = states.filter(({ root }) => root !== asking && root.isPart !== true);
  return (
    only(others.filter(({ root }) => isNamedStack(request, asking, root))) ??
    only(others.filter(({ root }) => keepsItsStateThere(request, asking, root)))
  );
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** What CDKTF calls the data source that it adds for a reference to another stack; behind it stands the path of that stack. */
const CROSS_STACK = /^cross-stack-reference-input-(.+)$/;

function isNamedStack({ name }: StateRequest, asking: RootModule, other: RootModule): boolean {
  const stack = CROSS_STACK.exec(name)?.[1];
  if (stack === undefined || asking.cdktf === undefined || other.cdktf?.app !== asking.cdktf.app) return false;
  // In ids of constructs a slash becomes two hyphens, and names of Terraform hold no other characters.
  return other.cdktf.constructPath.replaceAll('/', '--').replaceAll(/[^\w-]/g, '') === stack;
}

function keepsItsStateThere(
  { backend, config, workspace }: StateRequest,
  asking: RootModule,
  other: RootModule,
): boolean {
  // Another workspace may have been made from other values.
  if (backend === undefined || (workspace !== undefined && workspace !== 'default')) return false;
  const asked = new TerraformBlock(config);
  const written = backendOf(other.files);
  if (backend === 'local') return isSame(localState(asking, textOf(asked, 'path')), ownLocalState(other, written));
  if (written?.type !== backend) return false;
  return (STATE_KEYS.get(backend) ?? []).some((keys) =>
    keys.every((key) => isSame(textOf(asked, key), writtenText(written.body, key.split('.')))),
  );
}

function isSame(asked: string | undefined, written: string | undefined): boolean {
  return asked !== undefined && asked === written;
}

/** Path of a local state, from where the paths of the run begin. */
function localState({ folder }: RootModule, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return normalize(isAbsolute(path) ? path : join(folder, path));
}

/** Where a root module keeps its state, if it does so in a file. */
function ownLocalState(root: RootModule, written: Backend | undefined): string | undefined {
  if (written !== undefined && written.type !== 'local') return undefined;
  const path = written === undefined ? undefined : written.body.attributes.find(({ name }) => name === 'path')?.value;
  return localState(root, path === undefined ? 'terraform.tfstate' : literalAt(path, []));
}

/** A text in the configuration of a data source: `workspaces.name`. */
function textOf(asked: TerraformBlock, key: string): string | undefined {
  const steps = key.split('.');
  const last = steps.pop() ?? key;
  const value = steps.reduce((block, step) => block.block(step), asked).string(last);
  return value.kind === 'known' ? value.value : undefined;
}

interface Backend {
  readonly type: string;
  readonly body: Body;
}

/** Where the files of a root module say that it keeps its state. */
export function backendOf(files: readonly ConfigurationFile[]): Backend | undefined {
  const found = files.flatMap(({ body }) =>
    body.blocks.flatMap((block) => (block.type === 'terraform' ? block.body.blocks.flatMap(asBackend) : [])),
  );
  return found.at(-1);
}

function asBackend({ type, labels, body }: Block): readonly Backend[] {
  const [label] = labels;
  if (type === 'backend' && label !== undefined) return [{ type: label, body }];
  // What HCP Terraform keeps is read as the backend "remote".
  return type === 'cloud' ? [{ type: 'remote', body }] : [];
}

/** A text that is written in a block, in an object or block within it. */
function writtenText(body: Body, [first = '', ...rest]: readonly string[]): string | undefined {
  const value = body.attributes.find(({ name }) => name === first)?.value;
  if (value !== undefined) return literalAt(value, rest);
  const block = body.blocks.find(({ type }) => type === first);
  return block === undefined || rest.length === 0 ? undefined : writtenText(block.body, rest);
}

function literalAt(value: Expression, [first, ...rest]: readonly string[]): string | undefined {
  if (first === undefined) return value.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
  if (value.kind === 'tuple' && value.items.length === 1 && value.items[0] !== undefined)
    return literalAt(value.items[0], [first, ...rest]);
  if (value.kind !== 'object') return undefined;
  const entry = value.entries.find(({ key }) => key.kind === 'literal' && key.value === first);
  return entry === undefined ? undefined : literalAt(entry.value, rest);
}
