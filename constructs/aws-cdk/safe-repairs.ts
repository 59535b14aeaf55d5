import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CfnResource, Stage, type CfnElement } from 'aws-cdk-lib';
import { PATH_METADATA_KEY } from 'aws-cdk-lib/cx-api';
import type { IConstruct } from 'constructs';
import { acknowledgementsIn } from '../../aspects/aws-cdk/acknowledgements';
import { renderedTemplates, stacksIn, type StackElements } from '../../aspects/aws-cdk/stack-templates';
import { settledConfiguration } from '../../aspects/engine-neutral/configuration';
import { checkTemplates } from '../../lib/check';
import type { TemplateInput } from '../../lib/cloudformation/template-input';
import type { Finding } from '../../lib/engine';
import type { RepairedFile } from '../../lib/fixes/repairs';
import { repairTemplates } from '../../lib/fixes/templates';
import type { SafeDecisions } from './safe-decisions';
import { Repairs, SafeDefault, type SafeDefaultsMixinProps } from './safe-defaults-props';
import { NAMED } from './safe-node-groups';
import { waiveHopLimit } from './scanner-waivers';

/** Repairs what the rules find in the resources of an app, whoever made them, as `eks-guardrails check --fix` repairs templates. */
export class SafeRepairs {
  private readonly stages = new WeakSet<IConstruct>();

  /** @param covers which constructs may be repaired */
  constructor(
    private readonly props: SafeDefaultsMixinProps,
    private readonly log: SafeDecisions,
    private readonly covers: (construct: IConstruct) => boolean,
  ) {}

  /** CDK runs validations when all aspects are done and references between stacks are resolved, and before it writes the templates. */
  repairBeforeWriting(stage: IConstruct): void {
    if (this.stages.has(stage)) return;
    this.stages.add(stage);
    stage.node.addValidation({
      validate: () => {
        this.repair(stage);
        return [];
      },
    });
  }

  /** @param stage the app or stage that is synthesized, without the stages in it */
  private repair(stage: IConstruct): void {
    const stacks = stacksIn(stage).filter(({ stack }) => Stage.of(stack) === stage);
    const rendered = renderedTemplates(stacks, acknowledgementsIn(stage));
    const configuration = settledConfiguration({});
    const inTree = new Tree(stacks);
    const accepted = new Set(
      checkTemplates(rendered, configuration).findings.flatMap((finding) =>
        finding.suppressed === undefined ? [] : [keyOf(finding)],
      ),
    );
    const { files, refused, open } = repairTemplates(
      rendered.map((one) => asWrittenByHand(one, this.props.serviceCidr)),
      {
        configuration,
        isUnsafe: this.props.repairs === Repairs.UNSAFE,
        isWanted: (finding) => !accepted.has(keyOf(finding)) && this.isWanted(finding, inTree.constructOf(finding)),
      },
    );
    for (const { finding, reason } of refused) this.leave(inTree.constructOf(finding), finding, reason);
    for (const finding of open) {
      const construct = inTree.constructOf(finding);
      if (accepted.has(keyOf(finding)) || !this.isInScope(construct) || finding.severity === 'info') continue;
      this.leave(construct, finding, `that is for a person to decide. ${finding.fix}`);
    }
    for (const file of files) this.apply(file, inTree);
  }

  private isWanted(finding: Finding, construct: CfnElement | undefined): boolean {
    if (!this.isInScope(construct)) return false;
    const fields = (finding.repairs ?? []).map(({ field }) => field);
    // SafeDefault.LAUNCH_TEMPLATE makes the template, under another logical id of the group, or says why not.
    if (finding.repairs?.some(({ kind }) => kind === 'newTemplate') === true) return false;
    if (fields.some((field) => this.props.except?.some((one) => SETTINGS[one].test(field)) === true)) return false;
    const isReplaced = finding.resource.type === 'AWS::EKS::Nodegroup' && fields.some((one) => REPLACING.has(one));
    if (!isReplaced || this.props.namedNodeGroups === true || !hasName(construct)) return true;
    this.leave(construct, finding, NAMED);
    return false;
  }

  private isInScope(construct: CfnElement | undefined): construct is CfnElement {
    return construct !== undefined && this.covers(construct);
  }

  private leave(construct: CfnElement | undefined, finding: Finding, reason: string): void {
    if (construct !== undefined) this.log.left({ construct, setting: `what ${finding.rule} asks for`, reason });
  }

  /** Makes of the changes of a template such of its constructs. */
  private apply({ file, before, after, jobs }: RepairedFile, inTree: Tree): void {
    const [was, is] = [before, after].map((text) => (JSON.parse(text) as { Resources: Resources }).Resources);
    for (const [id, resource] of Object.entries(is ?? {})) {
      const construct = inTree.at(file, id);
      const changes = differences(was?.[id], resource);
      if (!CfnResource.isCfnResource(construct)) continue;
      const findings = jobs.flatMap((job) => job.findings).filter((finding) => finding.resource.id === id);
      for (const { path, value } of changes) {
        const at = path.map((key) => key.replaceAll('.', String.raw`\.`)).join('.');
        if (value === undefined) construct.addDeletionOverride(at);
        else construct.addOverride(at, value);
        if (path.at(-1) === 'HttpPutResponseHopLimit') waiveHopLimit(construct);
        this.log.changed({
          construct,
          setting: settingText(path, value),
          reason: [...new Set(findings.map(reasonOf))].join(' '),
        });
      }
    }
  }
}

type Resources = Readonly<Record<string, unknown>>;

/** What each of the settings that can be left to CDK is called in repairs. */
const SETTINGS: Readonly<Record<SafeDefault, RegExp>> = {
  [SafeDefault.FORCE_UPDATE]: /^forceUpdate$/,
  [SafeDefault.AMI_TYPE]: /^amiType$/,
  [SafeDefault.LAUNCH_TEMPLATE]: /^launchTemplate$/,
  [SafeDefault.METADATA_OPTIONS]: /^metadata\./,
  [SafeDefault.RESOLVE_CONFLICTS]: /^resolveConflicts/,
  [SafeDefault.PRESERVE_ON_DELETE]: /^preserveOnDelete$/,
};

/** Settings of node groups that CloudFormation can't change without making a new group. */
const REPLACING: ReadonlySet<string> = new Set([
  'amiType',
  'capacityType',
  'diskSize',
  'instanceTypes',
  'remoteAccess',
]);

function hasName(construct: CfnElement): boolean {
  const rendered = construct.stack.resolve(construct._toCloudFormation()) as { Resources?: Resources };
  const [definition] = Object.values(rendered.Resources ?? {}) as { Properties?: Resources }[];
  return definition?.Properties?.NodegroupName !== undefined;
}

function reasonOf({ rule, fix, repairEffect }: Finding): string {
  return `${rule} asks for it: ${fix}${repairEffect === undefined ? '' : ` It ${repairEffect}.`}`;
}

function keyOf({ rule, resource }: Finding): string {
  return JSON.stringify([rule, resource.stack, resource.id]);
}

function settingText(path: readonly string[], value: unknown): string {
  const name = path.slice(1).join('.');
  return `${name}: ${value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** The constructs of templates. */
class Tree {
  private readonly elements: ReadonlyMap<string, CfnElement>;

  constructor(stacks: readonly StackElements[]) {
    this.elements = new Map(
      stacks.flatMap(({ stack, elements }) =>
        elements.map((one) => [keyIn(stack.templateFile, String(stack.resolve(one.logicalId))), one] as const),
      ),
    );
  }

  at(file: string, id: string): CfnElement | undefined {
    return this.elements.get(keyIn(file, id));
  }

  constructOf({ resource }: Finding): CfnElement | undefined {
    return this.at(basename(resource.source.locate().file), resource.id);
  }
}

function keyIn(file: string, id: string): string {
  return JSON.stringify([file, id]);
}

/** A template as if no app had made it: that of an app isn't repaired, because the app writes it anew. */
function asWrittenByHand(
  { assembly, content, file, ...others }: TemplateInput,
  serviceCidr: string | undefined,
): TemplateInput {
  const nested = [...(assembly?.nestedTemplates ?? [])].map(
    ([id, one]) => [id, asWrittenByHand(one, serviceCidr)] as const,
  );
  const text = JSON.stringify(
    withServiceRange(content, serviceCidr),
    (key, value: unknown) => (key === PATH_METADATA_KEY ? undefined : value),
    1,
  );
  return {
    ...others,
    file: basename(file),
    text,
    assembly: { nestedTemplates: new Map(nested), constructPaths: new Map(), acknowledgements: [], asByHand: true },
  };
}

/** With the range of Services that the user knows of, on clusters that say nothing of theirs. It is there before and after, so that no repair writes it. */
function withServiceRange(content: unknown, serviceIpv4Cidr: string | undefined): unknown {
  if (serviceIpv4Cidr === undefined) return content;
  const template = content as { readonly Resources?: Readonly<Record<string, TemplateResource>> };
  const withRange = (resource: TemplateResource): TemplateResource => {
    const network = resource.Properties?.['KubernetesNetworkConfig'] ?? {};
    const isTold = !isPlainMap(network) || network['ServiceIpv4Cidr'] !== undefined || network['IpFamily'] === 'ipv6';
    if (resource.Type !== 'AWS::EKS::Cluster' || isTold) return resource;
    const KubernetesNetworkConfig = { ...network, ServiceIpv4Cidr: serviceIpv4Cidr };
    return { ...resource, Properties: { ...resource.Properties, KubernetesNetworkConfig } };
  };
  const resources = Object.entries(template.Resources ?? {}).map(([id, one]) => [id, withRange(one)] as const);
  return { ...template, Resources: Object.fromEntries(resources) };
}

interface TemplateResource {
  readonly Type?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

interface Difference {
  readonly path: readonly string[];
  /** Undefined where nothing is any more. */
  readonly value: unknown;
}

/** The smallest parts that are different. Functions are taken whole. */
function differences(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isPlainMap(before) || !isPlainMap(after)) return [{ path, value: after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], [...path, key]));
}

function isPlainMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'))
  );
}
