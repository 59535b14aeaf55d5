import { roleName, type Deed, type Outsider } from '../../../eks';
import { isOtherThing } from '../../../knowledge/eks-words';
import { alternativesOf, type Source, type Unknown } from '../../../value';
import { ComposedText, UnknownBase64, UnorderedText } from '../../../value/composed-text';
import { TerraformBlock } from '../../../terraform/block';
import { UnknownCollection } from '../../../terraform/evaluation/unknown-collection';
import type { TerraformInstance } from '../../../terraform/instance';
import { sourceName } from '../../../terraform/module/unread-module';
import { ResourceObject } from '../../../terraform/resource-object';
import { TerraformList, TerraformMap, type TerraformValue } from '../../../terraform/terraform-value';
import { deedsOf } from '../../parts/commands';
import type { Registry } from './registry';

/*
 * What isn't looked into and is given a role or a cluster of the input: a module that isn't here, a stack of CloudFormation, a script. It may do with it what
 * nothing else here does. What is given neither does nothing to them.
 */

interface OutsiderOfStack extends Outsider {
  /** `module.addons`. */
  readonly address: string;
  readonly source: Source;
}

type Kind = 'role' | 'cluster';

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['aws_iam_role', 'role'],
  ['aws_eks_cluster', 'cluster'],
]);

const byRegistry = new WeakMap<Registry, Outsiders>();

export function outsidersIn(registry: Registry): Outsiders {
  let found = byRegistry.get(registry);
  if (found === undefined) byRegistry.set(registry, (found = new Outsiders(registry)));
  return found;
}

/** What hands texts to what runs elsewhere. Those that take a role for themselves, as builds do, aren't among them. */
const HANDED: ReadonlySet<string> = new Set([
  'aws_cloudformation_stack',
  'aws_cloudformation_stack_set',
  'awscc_cloudformation_stack',
  'awscc_cloudformation_stack_set',
  'aws_lambda_invocation',
  'aws_ssm_association',
]);

/** Their arguments that are texts with names in them. */
const TEXTS: readonly string[] = ['template_body', 'input'];

/** Arguments whose texts are names of the kind. */
const SPEAKING: Readonly<Record<Kind, RegExp>> = {
  role: /role|iam|polic|attach|permission|principal/i,
  cluster: /cluster|eks|kube|k8s/i,
};

/** Modules that aren't for something else by their names, or are for roles. */
const OF_ROLES = /iam|role|attach|polic/;

/** Modules that make roles and associations, and nothing in or beside a cluster. */
const ROLES_ALONE = /(?:^|[-_])(?:irsa|iam-(?:assumable-)?role|iam-eks-role|pod-identity)/;

class Outsiders {
  /** By what they refer to. */
  private readonly byInstance = new Map<object, Set<OutsiderOfStack>>();
  /** By stack, kind and name. */
  private readonly byName = new Map<string, Set<OutsiderOfStack>>();
  /** By stack and a word of a command. */
  private readonly byWord = new Map<string, Set<OutsiderOfStack>>();
  private readonly byAddress = new Map<string, object[]>();
  /** Outputs of root modules that hand something out. */
  private readonly outputs = new Map<object, Set<string>>();
  private readonly outputsByName = new Map<string, Set<string>>();

  constructor(registry: Registry) {
    for (const type of KINDS.keys())
      for (const instance of registry.instancesOf(type)) {
        const key = `${instance.stack} ${plainAddress(instance.address)}`;
        const list = this.byAddress.get(key);
        if (list === undefined) this.byAddress.set(key, [instance]);
        else list.push(instance);
      }
    if (this.byAddress.size === 0) return;
    const stacks = new Map<string, TerraformInstance>();
    for (const instance of registry.all) {
      if (!stacks.has(instance.stack) && instance.handedOut !== undefined) stacks.set(instance.stack, instance);
      this.addInstance(instance);
    }
    for (const [stack, { handedOut = [] }] of stacks)
      for (const { module, value, call, output } of handedOut) {
        if (output !== undefined && value !== undefined)
          this.visit(value, { stack, output, instance: undefined, roles: true, clusters: true, seen: nothingSeen() });
        if (module === undefined || value === undefined || call === undefined) continue;
        const name = sourceName(module);
        if (isOtherThing(name) && !OF_ROLES.test(name)) continue;
        const outsider = {
          address: call.address,
          who: `${call.address}, which isn't here and is given it,`,
          source: call.place,
          may: (deed: Deed) => deed === 'attach' || !ROLES_ALONE.test(name) || deed === 'associate',
        };
        this.visit(value, {
          stack,
          outsider,
          instance: undefined,
          roles: OF_ROLES.test(name),
          clusters: false,
          seen: nothingSeen(),
        });
      }
  }

  /** What of its stack is given an instance. @param name its own, if that is known */
  of(instance: TerraformInstance, name: string | undefined): readonly OutsiderOfStack[] {
    const kind = KINDS.get(instance.type);
    const found = new Set(this.byInstance.get(instance));
    if (kind === undefined || name === undefined) return [...found];
    for (const one of this.byName.get(`${instance.stack} ${kind} ${name}`) ?? []) found.add(one);
    for (const one of this.byWord.get(`${instance.stack} ${name}`) ?? []) found.add(one);
    return [...found];
  }

  /** The outputs of its root module that tell others of an instance. */
  outputsOf(instance: TerraformInstance, name: string | undefined): readonly string[] {
    const named = this.outputsByName.get(`${instance.stack} ${KINDS.get(instance.type) ?? ''} ${name ?? ''}`);
    return [...new Set([...(this.outputs.get(instance) ?? []), ...(named ?? [])])];
  }

  private addInstance(instance: TerraformInstance): void {
    const { address, mode, type, source, stack, commands } = instance;
    if (mode !== 'managed') return;
    const own = { stack, instance, roles: true, clusters: true };
    if (HANDED.has(type)) {
      const outsider = { address, who: `${address}, which is given it,`, source, may: () => true };
      const block = new TerraformBlock(instance.attributes);
      this.visit(block.item('parameters'), { ...own, seen: nothingSeen(), outsider });
      for (const text of TEXTS)
        this.visit(block.item(text), { ...own, seen: nothingSeen(), outsider, isCommand: true });
    }
    if (commands === undefined) return;
    const deeds = deedsOf(textsIn(commands));
    if (deeds.size === 0) return;
    const outsider = {
      address,
      who: `a provisioner of ${address}, which names it,`,
      source,
      may: (deed: Deed) => deeds.has(deed),
    };
    this.visit(commands, { ...own, seen: nothingSeen(), outsider, isCommand: true });
    // What such a resource only triggers by is there for its scripts, which have it from their environment or by `self`.
    if (KINDS.get(type) === undefined && NOTHING_ELSE.test(type))
      this.visit(instance.attributes, { ...own, seen: nothingSeen(), outsider, isCommand: true });
  }

  private visit(value: TerraformValue, visit: Visit): void {
    for (const { value: plain } of alternativesOf(value)) {
      if (plain.kind === 'unknown') this.unknown(plain, visit);
      else if (plain.kind === 'known') this.known(plain.value, visit);
    }
  }

  private known(item: unknown, visit: Visit): void {
    if (item instanceof ResourceObject) this.reference(item.instance, visit);
    else if (isSeen(item, visit)) return;
    else if (item instanceof TerraformMap) {
      for (const [key, entry] of item.entries) {
        this.text(key, visit);
        this.visit(entry, below(visit, key));
      }
      for (const { value } of item.unsure) this.visit(value, visit);
      if (item.more !== undefined) this.unknown(item.more, visit);
    } else if (item instanceof TerraformList) for (const one of item.items) this.visit(one, visit);
    else if (typeof item === 'string') this.text(item, visit);
  }

  private unknown(unknown: Unknown, visit: Visit): void {
    if (unknown instanceof ComposedText) for (const piece of unknown.pieces) this.visit(piece, visit);
    else if (unknown instanceof UnorderedText) this.unknown(unknown.ordered, visit);
    else if (unknown instanceof UnknownBase64) this.unknown(unknown.decoded, visit);
    else if (unknown instanceof UnknownCollection) this.visit(unknown.shape.element, visit);
    const { reference, text } = unknown;
    if (reference !== undefined) this.reference(reference.resource, visit);
    if (text === undefined) return;
    if (text.startsWith('${self.') && visit.instance !== undefined) this.reference(visit.instance, visit);
    for (const [address] of text.matchAll(ADDRESS))
      for (const instance of this.byAddress.get(`${visit.stack} ${plainAddress(address)}`) ?? [])
        this.reference(instance, visit);
  }

  private reference(resource: object, { outsider, output }: Visit): void {
    if (!('type' in resource && KINDS.has(String(resource.type)))) return;
    if (outsider !== undefined) add(this.byInstance, resource, outsider);
    if (output !== undefined) add(this.outputs, resource, output);
  }

  private text(text: string, { stack, outsider, output, roles, clusters, isCommand = false }: Visit): void {
    if (isCommand) {
      if (outsider !== undefined)
        for (const [word] of text.matchAll(WORD)) add(this.byWord, `${stack} ${word}`, outsider);
      return;
    }
    const role = roles ? roleName(text) : undefined;
    const keys = [
      ...(role === undefined ? [] : [`${stack} role ${role}`]),
      ...(clusters ? [`${stack} cluster ${text}`] : []),
    ];
    for (const key of keys) {
      if (outsider !== undefined) add(this.byName, key, outsider);
      if (output !== undefined) add(this.outputsByName, key, output);
    }
  }
}

/** Resources that do nothing but run scripts. */
const NOTHING_ELSE = /^(?:null_resource|terraform_data|shell_\w+)$/;

const ADDRESS = /(?:module\.[\w-]+(?:\[[^\]]{0,500}\])?\.){0,20}(?:aws_iam_role|aws_eks_cluster)\.[\w-]+/g;

/** What may be the name of a role or a cluster. */
const WORD = /[\w+=,.@-]+/g;

/** A value that is looked through. */
interface Visit {
  readonly stack: string;
  /** To whom it is given. */
  readonly outsider?: OutsiderOfStack;
  /** Or as which output it is told to others. */
  readonly output?: string;
  /** What `self` is. */
  readonly instance: TerraformInstance | undefined;
  /** Whether texts of it may be names of roles, by what they are given for. */
  readonly roles: boolean;
  readonly clusters: boolean;
  readonly isCommand?: boolean;
  /** What was looked through before in the same way, of values that stand in several places. */
  readonly seen: ReadonlyMap<string, Set<object>>;
}

function isSeen(item: unknown, { roles, clusters, seen }: Visit): boolean {
  const before = seen.get(`${roles} ${clusters}`);
  if (before === undefined || typeof item !== 'object' || item === null) return false;
  const { size } = before;
  return before.add(item).size === size;
}

function nothingSeen(): Visit['seen'] {
  return new Map(['true true', 'true false', 'false true', 'false false'].map((key) => [key, new Set<object>()]));
}

function below(visit: Visit, key: string): Visit {
  const roles = visit.roles || SPEAKING.role.test(key);
  const clusters = visit.clusters || SPEAKING.cluster.test(key);
  return roles === visit.roles && clusters === visit.clusters ? visit : { ...visit, roles, clusters };
}

/** Lines of a script, with what isn't known of them in braces. */
function textsIn(value: TerraformValue): readonly string[] {
  return alternativesOf(value).flatMap(({ value: plain }): readonly string[] => {
    if (plain.kind === 'unknown') return [plain.text ?? '${?}'];
    if (plain.kind !== 'known') return [];
    if (plain.value instanceof TerraformList) return plain.value.items.flatMap(textsIn);
    if (plain.value instanceof TerraformMap)
      return [...plain.value.entries].flatMap(([key, entry]) => (NO_COMMANDS.has(key) ? [] : textsIn(entry)));
    return typeof plain.value === 'string' ? [plain.value] : [];
  });
}

/** What of a provisioner says how it runs. */
const NO_COMMANDS: ReadonlySet<string> = new Set([
  'environment',
  'interpreter',
  'working_dir',
  'when',
  'on_failure',
  'quiet',
  'connection',
]);

function plainAddress(address: string): string {
  return address.replaceAll(/\[[^\]]{0,500}\]/g, '');
}

function add<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, new Set([value]));
  else found.add(value);
}
