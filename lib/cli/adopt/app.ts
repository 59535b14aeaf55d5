import type { SourceLocation } from '../../value';
import { isMap, member } from '../../cloudformation/cursor';
import type { TemplateInput } from '../../cloudformation/template-input';
import { parseDocument } from '../../languages';

/** A resource of a synthesized app. */
export interface AppResource {
  readonly stack: AppStack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Construct path from the stack on, `Cluster/NodegroupWorkers/Resource`. */
  readonly path: string;
  /** The line of the user's that makes it, as far as the app tells. */
  readonly createdAt: SourceLocation | undefined;
}

/** A stack of a synthesized app. */
export interface AppStack {
  readonly app: SynthesizedApp;
  /** Construct path, `Staging/Nodes`. */
  readonly path: string;
  readonly resources: ReadonlyMap<string, AppResource>;
  /** Defaults of the parameters by name, with their types. */
  readonly parameters: ReadonlyMap<string, { readonly type: unknown; readonly value: unknown }>;
  /** Whether anything in the template but some resources names a logical id. */
  isNamedBeside(logicalId: string, beside: readonly AppResource[]): boolean;
}

/** What `cdk synth` wrote, as far as somebody who moves its constructs has to know. */
export class SynthesizedApp {
  readonly stacks: readonly AppStack[];
  /** Node groups in nested stacks, by construct path. */
  readonly nested: readonly string[];
  /** Stacks whose constructs have no paths, by name. */
  readonly withoutPaths: readonly string[];
  private readonly exported = new Map<string, { readonly stack: AppStack; readonly value: unknown }>();

  constructor(templates: readonly TemplateInput[]) {
    const stacks: AppStack[] = [];
    const nested: string[] = [];
    const withoutPaths: string[] = [];
    for (const template of templates) {
      const { root } = parseDocument(template.text ?? '', template.file);
      const { assembly } = template;
      const path = assembly?.stackPath;
      if (assembly === undefined || path === undefined || assembly.constructPaths.size === 0) {
        if (nodeGroupsIn(root).length > 0) withoutPaths.push(template.stack ?? template.file);
        continue;
      }
      stacks.push(this.stack(path, root, assembly));
      for (const inner of assembly.nestedTemplates.values()) {
        const content = parseDocument(inner.text ?? '', inner.file).root;
        nested.push(...nodeGroupsIn(content).map((id) => inner.assembly?.constructPaths.get(id) ?? id));
      }
    }
    this.stacks = stacks;
    this.nested = nested;
    this.withoutPaths = withoutPaths;
  }

  /** What stands behind the name of an export. */
  export(name: string): { readonly stack: AppStack; readonly value: unknown } | undefined {
    return this.exported.get(name);
  }

  /** The resource that a value points at by `Ref` or `Fn::GetAtt`, in whichever stack, and the attribute. */
  target(stack: AppStack, value: unknown): { readonly resource: AppResource; readonly attribute?: string } | undefined {
    const imported = member(value, 'Fn::ImportValue');
    if (typeof imported === 'string') {
      const behind = this.export(imported);
      return behind === undefined ? undefined : this.target(behind.stack, behind.value);
    }
    const id = member(value, 'Ref');
    if (typeof id === 'string') {
      const resource = stack.resources.get(id);
      return resource === undefined ? undefined : { resource };
    }
    const got = member(value, 'Fn::GetAtt');
    const [of, attribute] = typeof got === 'string' ? splitAtDot(got) : Array.isArray(got) ? (got as unknown[]) : [];
    if (typeof of !== 'string' || typeof attribute !== 'string') return undefined;
    const resource = stack.resources.get(of);
    return resource === undefined ? undefined : { resource, attribute };
  }

  private stack(path: string, root: unknown, assembly: NonNullable<TemplateInput['assembly']>): AppStack {
    const resources = new Map<string, AppResource>();
    const texts = Object.entries(isMap(root) ? root : {})
      .filter(([section]) => section !== 'Metadata')
      .flatMap(([section, content]) =>
        entries(content).map(([id, one]) => ({ id: `${section}/${id}`, text: JSON.stringify(one) })),
      );
    const stack: AppStack = {
      app: this,
      path,
      resources,
      parameters: new Map(
        entries(member(root, 'Parameters')).map(([id, parameter]) => [
          id,
          { type: member(parameter, 'Type'), value: member(parameter, 'Default') },
        ]),
      ),
      isNamedBeside: (logicalId, beside) =>
        texts.some(
          ({ id, text }) =>
            text.includes(`"${logicalId}"`) && !beside.some((one) => id === `Resources/${one.logicalId}`),
        ),
    };
    for (const [logicalId, resource] of entries(member(root, 'Resources'))) {
      const type = member(resource, 'Type');
      const whole = assembly.constructPaths.get(logicalId);
      if (typeof type !== 'string' || whole === undefined) continue;
      const properties = member(resource, 'Properties');
      resources.set(logicalId, {
        stack,
        logicalId,
        type,
        properties: isMap(properties) ? properties : {},
        path: whole.startsWith(`${path}/`) ? whole.slice(path.length + 1) : whole,
        createdAt: assembly.createdAt?.(whole),
      });
    }
    for (const [, output] of entries(member(root, 'Outputs'))) {
      const name = member(member(output, 'Export'), 'Name');
      if (typeof name === 'string') this.exported.set(name, { stack, value: member(output, 'Value') });
    }
    return stack;
  }
}

const NODE_GROUP = 'AWS::EKS::Nodegroup';

/** The node groups of a stack. */
export function nodeGroupsOf(stack: AppStack): AppResource[] {
  return [...stack.resources.values()].filter(({ type }) => type === NODE_GROUP);
}

/** The path of the L2 construct that made a group. */
export function ownConstruct({ path }: AppResource): string | undefined {
  return path.endsWith('/Resource') ? path.slice(0, -'/Resource'.length) : undefined;
}

/** Whether a cluster is that of an L2 construct, which tells its network. */
export function isL2Cluster(cluster: AppResource | undefined): cluster is AppResource {
  return cluster !== undefined && /\/Resource(?:\/Resource\/Default)?$/.test(cluster.path);
}

/** The cluster of a group, where the app has it. */
export function clusterOf(group: AppResource): AppResource | undefined {
  return group.stack.app.target(group.stack, group.properties.ClusterName)?.resource;
}

function nodeGroupsIn(root: unknown): string[] {
  return entries(member(root, 'Resources')).flatMap(([id, one]) => (member(one, 'Type') === NODE_GROUP ? [id] : []));
}

function entries(map: unknown): [string, unknown][] {
  return isMap(map) ? Object.entries(map) : [];
}

function splitAtDot(text: string): [string, string] {
  const dot = text.indexOf('.');
  return [text.slice(0, dot), text.slice(dot + 1)];
}
