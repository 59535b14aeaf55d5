import { stepsOf, type Naming, type Setting } from '../../../../lib/eks/resources/table';
import { tablesOf, type EngineName } from '../../../../lib/front-ends/kubernetes/controllers/engines';
import { isMap, untranslatable, type JsonMap } from '../../../rules/terraform/untranslatable';
import { TemplateTranslation, translated, type Declared } from '../../template-translation';

/** A template of CloudFormation, said again in objects from which a controller makes the same. */
export interface ControllerTwin {
  readonly objects: readonly JsonMap[];
  readonly ids: ReadonlyMap<string, string>;
}

/** @returns the reason if no objects can say the same */
export function translateToObjects(engine: EngineName, template: string): ControllerTwin | string {
  return translated(template, (root) => new Translation(root, engine).twin());
}

/** By type, the kinds of objects of ACK and of Crossplane, and the setting that names it. */
const KINDS: Readonly<Record<string, readonly [ack: string, crossplane: string, group: string, name?: string]>> = {
  'AWS::EKS::Cluster': ['Cluster', 'Cluster', 'eks', 'Name'],
  'AWS::EKS::Nodegroup': ['Nodegroup', 'NodeGroup', 'eks', 'NodegroupName'],
  'AWS::EKS::Addon': ['Addon', 'Addon', 'eks', 'AddonName'],
  'AWS::EKS::PodIdentityAssociation': ['PodIdentityAssociation', 'PodIdentityAssociation', 'eks'],
  'AWS::EKS::AccessEntry': ['AccessEntry', 'AccessEntry', 'eks'],
  'AWS::EC2::LaunchTemplate': ['LaunchTemplate', 'LaunchTemplate', 'ec2', 'LaunchTemplateName'],
  'AWS::IAM::Role': ['Role', 'Role', 'iam', 'RoleName'],
};

/** What a template has without saying it. */
const PATTERN = /^[a-z][a-zA-Z\d]*$/;

class Translation extends TemplateTranslation {
  private readonly naming: Naming;
  private outermost: Readonly<Record<string, Setting>> | undefined;

  constructor(
    root: JsonMap,
    private readonly engine: EngineName,
  ) {
    super(root, ['Metadata']);
    if (root['Transform'] !== undefined) untranslatable('what a macro may change');
    if (JSON.stringify(root).includes('{{resolve:')) untranslatable('what CloudFormation looks up');
    this.naming = engine === 'ack' ? 'cloudFormation' : 'terraform';
  }

  twin(): ControllerTwin {
    return { objects: this.resources.map((one) => this.object(one)), ids: this.ids };
  }

  private object({ id, type, properties }: Declared): JsonMap {
    const kinds = KINDS[type];
    if (kinds === undefined) return untranslatable('a resource that is no object');
    const kind = this.engine === 'ack' ? kinds[0] : kinds[1];
    this.ids.set(`${kind} ${id}`, id);
    const spec = type === 'AWS::IAM::Role' ? this.role(id, properties) : this.spec(kind, properties);
    const group =
      this.engine === 'ack' ? `${kinds[2]}.services.k8s.aws/v1alpha1` : `${kinds[2]}.aws.upbound.io/v1beta1`;
    const name = this.nameOf(id, type, properties, kinds[3]);
    return {
      apiVersion: group,
      kind,
      metadata: {
        name: id,
        ...(this.engine === 'crossplane' && name !== id
          ? { annotations: { 'crossplane.io/external-name': name } }
          : {}),
      },
      spec:
        this.engine === 'ack'
          ? { ...this.ownName(type, name), ...spec }
          : { forProvider: { ...this.ownName(type, name), ...spec } },
    };
  }

  /** ACK has names as settings; Crossplane of add-ons and templates alone. */
  private ownName(type: string, name: string): JsonMap {
    if (type === 'AWS::EC2::LaunchTemplate') return { name };
    if (this.engine === 'crossplane' && type === 'AWS::EKS::Addon') return { addonName: name };
    if (this.engine === 'crossplane' || type.endsWith('Association') || type.endsWith('AccessEntry')) return {};
    return { name };
  }

  private nameOf(id: string, type: string, properties: JsonMap, key: string | undefined): string {
    const written = key === undefined ? undefined : properties[key];
    if (written !== undefined && typeof written !== 'string') return untranslatable('a value that is put together');
    if (type === 'AWS::EKS::Addon' && written === undefined) untranslatable('a name that is not written');
    return written ?? id;
  }

  private spec(kind: string, properties: JsonMap): JsonMap {
    const tables = tablesOf(this.engine, kind);
    if (tables === undefined) return untranslatable('a resource that is no object');
    const { template, own } = tables;
    const use = properties['LaunchTemplate'];
    if (isMap(use) && use['Id'] !== undefined && use['Name'] !== undefined)
      untranslatable('a launch template by id and by name');
    this.outermost = template.settings;
    const data = template.root === undefined ? properties : properties[template.root];
    const spec = this.settings(template.settings, own.settings, isMap(data) ? data : {}, kind);
    return own.root === undefined ? spec : { [own.root]: spec };
  }

  private settings(
    template: Readonly<Record<string, Setting>>,
    own: Readonly<Record<string, Setting>>,
    properties: JsonMap,
    kind: string,
  ): JsonMap {
    const result: JsonMap = {};
    for (const [name, setting] of Object.entries(template)) {
      const [from, to] = [setting.cloudFormation, own[name]?.[this.naming]];
      if (from === undefined || (name === 'name' && template === this.outermost)) continue;
      const value = stepsOf(from).reduce<unknown>(
        (holder, step) => (isMap(holder) ? holder[step] : undefined),
        properties,
      );
      if (value === undefined) continue;
      if (to === undefined || UNKNOWN_TO_ACK.has(name)) {
        if (this.engine === 'ack' || to === undefined) untranslatable('a setting that the controller does not have');
      }
      const steps = stepsOf(to);
      if (this.engine === 'crossplane' && name === 'resolveConflictsOnUpdate') {
        put(result, ['resolveConflictsOnCreate'], value);
        put(result, ['resolveConflictsOnUpdate'], value);
      } else this.put(result, steps, this.settingOf(setting, own[name], value, kind), value);
    }
    return result;
  }

  private settingOf(setting: Setting, own: Setting | undefined, value: unknown, kind: string): unknown {
    if (setting.type === 'tags') return this.tags(value);
    if ('settings' in setting && own !== undefined && 'settings' in own) {
      const block = (one: unknown) =>
        isMap(one) && !Object.keys(one).some((key) => key.startsWith('Fn::'))
          ? this.settings(setting.settings, own.settings, one, kind)
          : untranslatable('a value that is put together');
      return Array.isArray(value) ? value.map(block) : block(value);
    }
    return value;
  }

  private tags(value: unknown): unknown {
    if (!Array.isArray(value)) return untranslatable('a value that is put together');
    const tags = value as readonly JsonMap[];
    return this.engine === 'ack'
      ? tags.map(({ Key, Value }) => ({ key: Key, value: Value }))
      : Object.fromEntries(tags.map(({ Key, Value }) => [String(Key), Value]));
  }

  /** Names are not put in, as `name` is read otherwise; references become those of objects. */
  private put(result: JsonMap, steps: readonly string[], made: unknown, written: unknown): void {
    const last = steps.at(-1) ?? '';
    if (!isReference(written) && !(Array.isArray(written) && written.some(isReference))) {
      put(result, steps, plain(made));
      return;
    }
    if (Array.isArray(written)) {
      if (/subnets?/i.test(last))
        put(
          result,
          steps,
          written.map((one) => (isReference(one) ? `subnet-${this.declaredBy(one).id}` : plain(one))),
        );
      else untranslatable('a value that is put together');
      return;
    }
    const target = this.declaredBy(written);
    if (target.type === 'AWS::EC2::LaunchTemplate') {
      if (last === 'id')
        put(
          result,
          [...steps.slice(0, -1), 'name'],
          this.nameOf(target.id, target.type, target.properties, 'LaunchTemplateName'),
        );
      else put(result, steps, '1');
      return;
    }
    if (!/^AWS::(?:EKS::Cluster|IAM::Role)$/.test(target.type) || last === '')
      return untranslatable('a value that is put together');
    const key = this.engine === 'ack' ? `${last.replace(/(?:Name|ARN)$/, '')}Ref` : `${last}Ref`;
    put(
      result,
      [...steps.slice(0, -1), key],
      this.engine === 'ack' ? { from: { name: target.id } } : { name: target.id },
    );
  }

  private declaredBy(reference: unknown): Declared {
    const { Ref: ref, 'Fn::GetAtt': attribute } = isMap(reference) ? reference : {};
    const [id, name] =
      typeof ref === 'string'
        ? [ref]
        : Array.isArray(attribute)
          ? (attribute as string[])
          : typeof attribute === 'string'
            ? attribute.split('.')
            : [];
    const found = this.resources.find((one) => one.id === id);
    if (found === undefined || (name !== undefined && !/^(?:Arn|LatestVersionNumber)$/.test(name)))
      return untranslatable('a value that is put together');
    return found;
  }

  private role(id: string, properties: JsonMap): JsonMap {
    const {
      AssumeRolePolicyDocument: trust,
      ManagedPolicyArns: arns = [],
      Policies: inline = [],
      PermissionsBoundary: boundary,
    } = properties;
    const policies = plain(inline) as readonly JsonMap[];
    if (boundary !== undefined) untranslatable('a boundary');
    if (!Array.isArray(inline) || !Array.isArray(arns))
      return untranslatable(`a value that is put together in ${id}`.replace(/ in .*/, ''));
    const document = (one: unknown): string => JSON.stringify(plain(one) ?? {});
    if (this.engine === 'ack')
      return {
        assumeRolePolicyDocument: document(trust),
        policies: plain(arns),
        inlinePolicies: Object.fromEntries(
          policies.map((one) => [String(one['PolicyName']), document(one['PolicyDocument'])]),
        ),
      };
    return {
      assumeRolePolicy: document(trust),
      managedPolicyArns: plain(arns),
      inlinePolicy: policies.map((one) => ({ name: one['PolicyName'], policy: document(one['PolicyDocument']) })),
    };
  }
}

/** Settings that ACK has no argument for. */
const UNKNOWN_TO_ACK: ReadonlySet<string> = new Set(['forceUpdate', 'preserveOnDelete', 'strategy']);

function isReference(value: unknown): boolean {
  return isMap(value) && Object.keys(value).some((key) => key === 'Ref' || key === 'Fn::GetAtt');
}

/** A value without functions. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isMap(value)) return value;
  if (Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::')))
    return untranslatable('a value that is put together');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function put(holder: JsonMap, steps: readonly string[], value: unknown): void {
  const [first = '', ...rest] = steps;
  if (!PATTERN.test(first)) throw new Error(`no name: ${first}`);
  const map = holder as Record<string, unknown>;
  if (rest.length === 0) map[first] = value;
  else put(isMap(map[first]) ? map[first] : (map[first] = {}), rest, value);
}
