import { isDeepStrictEqual } from 'node:util';
import { isMap, member } from '../../cloudformation/cursor';
import { amiType, compareVersions } from '../../knowledge';
import { clusterOf, ownConstruct, type AppResource } from './app';
import { Expressions, GROUP, NotWritable, objectOf, quoted, type Member, type Needs } from './code';
import { instanceTagsOf, launchTemplateParts } from './launch-template';
import { roleParts } from './role';
import { subnetOptions } from './subnets';

/** What becomes of a node group that is written as a `ManagedNodeGroup`. */
export type Outcome =
  /** The same resource: EKS replaces its nodes one after another, by a new version of the launch template. */
  | 'kept'
  /** Another resource: CloudFormation makes the new group, then drains and deletes the old one. */
  | 'replaced'
  /** There is no code for it. */
  | 'left';

/** A node group as code. */
export interface Adopted {
  readonly group: AppResource;
  readonly id: string;
  readonly outcome: Outcome;
  /** Why it isn't kept. */
  readonly reason: string | undefined;
  /** What else changes, or is to be done. */
  readonly notes: readonly string[];
  readonly options: readonly Member[];
  /** Statements behind the construction, with `GROUP` for its variable. */
  readonly statements: readonly string[];
}

/*
 * What makes CloudFormation or EKS replace a node group. Sources: AWS CloudFormation reference, AWS::EKS::Nodegroup, "Update requires"; Amazon EKS API reference,
 * UpdateNodegroupVersion, launchTemplate: the template of a group can't become another one, and a group without gets none.
 */

/**
 * Writes a node group as a `ManagedNodeGroup`, as the same resource where that is possible. Of such a group nothing changes but the version of its launch template (and that updates don't force): EKS takes no other
 * change in the same update. Source: AWS CloudFormation reference, AWS::EKS::Nodegroup, Tags; aws/containers-roadmap, issue 1258.
 */
export function adoptNodeGroup(group: AppResource, needs: Needs, taken: (id: string) => boolean): Adopted {
  try {
    const adoption = new Adoption(group, needs);
    const id = idOf(group, taken, adoption.outcome);
    adoption.write(id);
    const { outcome, reason, notes, options, statements } = adoption;
    return { group, id, outcome, reason, notes, options, statements };
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    const id = idOf(group, taken, 'left');
    return { group, id, outcome: 'left', reason: error.message, notes: [], options: [], statements: [] };
  }
}

class Adoption {
  readonly notes: string[] = [];
  readonly options: Member[] = [];
  readonly statements: string[] = [];
  readonly reason: string | undefined;
  /** The launch template, where the app has it. */
  private readonly template: AppResource | undefined;
  private readonly code: Expressions;

  constructor(
    private readonly group: AppResource,
    private readonly needs: Needs,
  ) {
    this.code = new Expressions(group.stack, needs);
    this.template = templateOf(group);
    this.reason = this.whyReplaced();
  }

  get outcome(): 'kept' | 'replaced' {
    return this.reason === undefined ? 'kept' : 'replaced';
  }

  write(id: string): void {
    this.writeMachines(id);
    this.writeSizes();
    this.writeLabelsAndTags();
    const role = roleParts(this.group, this.code, this.needs, id);
    this.options.push(...role.options);
    this.statements.push(...role.statements);
    this.notes.push(...role.notes);
    const subnets = subnetOptions(this.group, this.code, this.needs, id);
    if (subnets !== undefined) this.options.push(['subnets', subnets]);
    this.writeName();
    this.writeRemoteAccess(id);
    if (this.template === undefined) return;
    if (this.isKept) this.statements.push(`${GROUP}.nodegroup.overrideLogicalId(${quoted(this.group.logicalId)});`);
    const parts = launchTemplateParts(this.template, {
      id,
      os: this.os,
      code: this.code,
      needs: this.needs,
      group: this.group,
      isKept: this.isKept,
    });
    this.options.push(...parts.options);
    this.statements.push(...parts.statements);
    this.notes.push(...parts.notes);
    if (this.isKept) this.keepReference();
  }

  private get isKept(): boolean {
    return this.reason === undefined;
  }

  private get properties(): Readonly<Record<string, unknown>> {
    return this.group.properties;
  }

  private get data(): unknown {
    return this.template?.properties.LaunchTemplateData;
  }

  private get os(): string {
    const { AmiType: type } = this.properties;
    return (typeof type === 'string' ? amiType(type)?.family : undefined) ?? 'AL2023';
  }

  private whyReplaced(): string | undefined {
    if (this.properties.LaunchTemplate === undefined)
      return 'EKS gives no launch template to a group that was made without one';
    const { template } = this;
    if (template === undefined) throw new NotWritable(whyOutOfSight(this.properties.LaunchTemplate));
    if (template.stack !== this.group.stack)
      return `its launch template is in another stack, ${template.stack.path}, and would have to move`;
    if (template.stack.isNamedBeside(template.logicalId, [template, this.group]))
      return `its launch template, ${template.logicalId}, serves others too, and a ManagedNodeGroup has one of its own`;
    if (this.os === 'AL2' && !this.mayStayAl2) return 'it runs AL2, of which EKS has no AMIs from Kubernetes 1.33 on';
    return undefined;
  }

  private get mayStayAl2(): boolean {
    const version = kubernetesVersionOf(this.group);
    return version !== undefined && compareVersions(version, '1.33') < 0;
  }

  private writeMachines(id: string): void {
    const { AmiType: type, InstanceTypes: types, CapacityType: capacity, ReleaseVersion: release } = this.properties;
    const image = member(this.data, 'ImageId');
    if (image === undefined) this.writeAmiType(type);
    const ofTemplate = member(this.data, 'InstanceType');
    const isBlock = capacity === 'CAPACITY_BLOCK';
    const machines = types ?? (ofTemplate === undefined ? undefined : [ofTemplate]);
    if (Array.isArray(machines) && machines.length > 0) this.writeTypes(machines);
    else if (this.isKept) this.writeTypes(['t3.medium']);
    if (types === undefined && this.isKept && !isBlock)
      this.statements.push(`${GROUP}.nodegroup.addPropertyDeletionOverride('InstanceTypes');`);
    if (capacity !== undefined) this.options.push(['capacityType', this.code.of(capacity)]);
    if (release !== undefined && this.isKept) this.options.push(['releaseVersion', this.code.of(release)]);
    if (this.properties.Version !== undefined && this.isKept)
      this.statements.push(`${GROUP}.nodegroup.version = ${this.code.of(this.properties.Version)};`);
    if (typeof this.properties.DiskSize === 'number')
      this.options.push(['diskSize', this.code.of(this.properties.DiskSize)]);
    else if (this.properties.DiskSize !== undefined)
      this.notes.push(`its disk size isn't a number in the template: give diskSize to ${id}`);
  }

  private writeTypes(types: readonly unknown[]): void {
    this.needs.modules.add('ec2');
    this.options.push([
      'instanceTypes',
      `[${types.map((one) => `new ec2.InstanceType(${this.code.of(one)})`).join(', ')}]`,
    ]);
  }

  private writeAmiType(type: unknown): void {
    if (type === undefined) {
      // EKS has chosen one when the group was made, and a value where there was none replaces the group.
      if (this.isKept) this.statements.push(`${GROUP}.nodegroup.addPropertyDeletionOverride('AmiType');`);
      return;
    }
    if (typeof type !== 'string' || amiType(type) === undefined)
      throw new NotWritable(`its AMI type is ${typeof type === 'string' ? type : 'decided at deployment'}`);
    if (this.os !== 'AL2') {
      this.options.push(['amiType', quoted(type)]);
      return;
    }
    if (this.isKept) {
      this.options.push(['amiType', quoted(type)]);
      this.options.push(['al2Reason', quoted('Adopted as it was: another operating system is another group')]);
    } else this.notes.push(`its AMI type, ${type}, becomes AL2023 of the same architecture`);
  }

  private writeSizes(): void {
    const sizes = this.properties.ScalingConfig;
    const [least, most, desired] = ['MinSize', 'MaxSize', 'DesiredSize'].map((name) => member(sizes, name));
    if (least !== undefined) this.options.push(['minSize', this.number(least)]);
    if (most !== undefined) this.options.push(['maxSize', this.number(most)]);
    // A new group begins with as many nodes as were asked for; of one that stays nothing changes but the template.
    if (desired !== undefined && (this.isKept || !isDeepStrictEqual(desired, least)))
      this.options.push(['desiredSize', this.number(desired)]);
    const updates = this.properties.UpdateConfig;
    for (const name of ['ScalingConfig', 'UpdateConfig'])
      if (this.isKept && this.properties[name] === undefined)
        this.statements.push(`${GROUP}.nodegroup.addPropertyDeletionOverride('${name}');`);
    for (const [name, option] of [
      ['MaxUnavailable', 'maxUnavailable'],
      ['MaxUnavailablePercentage', 'maxUnavailablePercentage'],
    ] as const) {
      const value = member(updates, name);
      if (value !== undefined) this.options.push([option, this.number(value)]);
    }
    if (member(updates, 'UpdateStrategy') === 'MINIMAL') {
      this.needs.own.add('UpdateStrategy');
      this.options.push(['updateStrategy', 'UpdateStrategy.MINIMAL']);
    }
    for (const name of ['NodeRepairConfig', 'WarmPoolConfig'])
      if (this.properties[name] !== undefined)
        this.statements.push(
          `${GROUP}.nodegroup.addPropertyOverride('${name}', ${this.code.of(this.properties[name])});`,
        );
  }

  /** Numbers of options are numbers, and texts of the template may stand for some. */
  private number(value: unknown): string {
    if (typeof value === 'string' && /^\d+$/.test(value)) return value;
    if (isMap(value)) {
      this.needs.core.add('Token');
      return `Token.asNumber(${this.code.of(value)})`;
    }
    return this.code.of(value);
  }

  private writeLabelsAndTags(): void {
    const { Labels: labels, Taints: taints, Tags: tags } = this.properties;
    if (isMap(labels) && Object.keys(labels).length > 0) this.options.push(['labels', this.code.of(labels)]);
    if (Array.isArray(taints) && taints.length > 0)
      this.options.push([
        'taints',
        `[${(taints as unknown[])
          .map((taint) =>
            objectOf(
              ['Key', 'Value', 'Effect'].flatMap((name): Member[] => {
                const value = member(taint, name);
                return value === undefined ? [] : [[name.toLowerCase(), this.code.of(value)]];
              }),
            ),
          )
          .join(', ')}]`,
      ]);
    const ofInstances = this.isKept ? {} : instanceTagsOf(member(this.data, 'TagSpecifications'));
    const all = { ...ofInstances, ...(isMap(tags) ? tags : {}) };
    if (Object.keys(all).length > 0) this.options.push(['tags', this.code.of(all)]);
  }

  private writeName(): void {
    const { NodegroupName: name } = this.properties;
    if (name === undefined) return;
    if (this.isKept) this.options.push(['nodegroupName', this.code.of(name)]);
    else
      this.notes.push(
        `its name, ${typeof name === 'string' ? name : 'decided at deployment'}, stays with the old group until that is gone: the new one gets another`,
      );
  }

  private writeRemoteAccess(id: string): void {
    const access = this.properties.RemoteAccess;
    if (access === undefined) return;
    const groups = member(access, 'SourceSecurityGroups');
    if (!Array.isArray(groups) || groups.length === 0) {
      this.notes.push('SSH from everywhere (remoteAccess without source) is left out: use Session Manager');
      return;
    }
    this.needs.modules.add('ec2');
    const key = this.code.of(member(access, 'Ec2SshKey'));
    const from = (groups as unknown[]).map(
      (group, index) =>
        this.code.l2(group, 'ec2.SecurityGroup') ??
        `ec2.SecurityGroup.fromSecurityGroupId(stack, ${quoted(`${id}SshFrom${index}`)}, ${this.code.of(group)})`,
    );
    this.options.push([
      'remoteAccess',
      `{ keyPair: ec2.KeyPair.fromKeyPairName(stack, ${quoted(`${id}Key`)}, ${key}), from: [${from.join(', ')}] }`,
    ]);
  }

  /** A group that names its template by name must go on doing so. */
  private keepReference(): void {
    const name = member(this.properties.LaunchTemplate, 'Name');
    if (name === undefined) return;
    this.statements.push(
      `${GROUP}.nodegroup.addPropertyDeletionOverride('LaunchTemplate.Id');`,
      `${GROUP}.nodegroup.addPropertyOverride('LaunchTemplate.Name', ${this.code.of(name)});`,
    );
  }
}

/** The launch template that a group names, by id or by a name that one of its stack has. */
function templateOf(group: AppResource): AppResource | undefined {
  const given = group.properties.LaunchTemplate;
  const found = group.stack.app.target(group.stack, member(given, 'Id'))?.resource;
  const name = member(given, 'Name');
  return (
    found ??
    (name === undefined
      ? undefined
      : [...group.stack.resources.values()].find(
          (one) =>
            one.type === 'AWS::EC2::LaunchTemplate' && isDeepStrictEqual(one.properties.LaunchTemplateName, name),
        ))
  );
}

/** What a template of elsewhere holds can't be read, and a group without it would be another one. */
function whyOutOfSight(given: unknown): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : 'a name that is decided at deployment');
  const template = text(member(given, 'Id') ?? member(given, 'Name'));
  const version = member(given, 'Version');
  const of =
    version === undefined
      ? template
      : `version ${typeof version === 'string' ? version : 'decided at deployment'} of ${template}`;
  return `its launch template, ${template}, isn't a resource of this app: write its ManagedNodeGroup with the instance types, AMI, user data, security groups, volumes and tags of ${of} (aws ec2 describe-launch-template-versions)`;
}

/** The Kubernetes version of the cluster of a group, as far as the app tells. */
function kubernetesVersionOf(group: AppResource): string | undefined {
  const cluster = clusterOf(group);
  const version = member(cluster?.properties, 'Version') ?? member(member(cluster?.properties, 'Config'), 'version');
  return typeof version === 'string' ? version : undefined;
}

/** The id of the new construct: that of the old one, unless something else has it, or the new group must not have the old logical id. */
function idOf(group: AppResource, taken: (id: string) => boolean, outcome: Outcome): string {
  const own = ownConstruct(group) ?? group.path;
  const last = own.split('/').at(-1) ?? own;
  const id = own.includes('/') && last.length > 'Nodegroup'.length ? last.replace(/^Nodegroup/, '') : last;
  const isOld = own === id && outcome !== 'kept';
  return isOld || taken(id) ? `${id}Nodes` : id;
}
