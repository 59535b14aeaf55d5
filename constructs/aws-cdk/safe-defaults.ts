import { AspectPriority, Aspects, PropertyInjectors, Stage, type InjectionContext } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import type { IConstruct } from 'constructs';
import { stageOf } from '../../aspects/aws-cdk/scope-check';
import { isAtOrBelow } from '../../aspects/engine-neutral/construct-path';
import { refuse } from './construction-error';
import { SafeDecisions } from './safe-decisions';
import type { SafeDefaultDecision, SafeDefaultsProps } from './safe-defaults-props';
import { safeNodeGroup } from './safe-node-groups';
import { SafeRepairs } from './safe-repairs';
import { isSafeDefaultsTarget, SafeResources } from './safe-resources';

/** Classes whose constructions tell in which stages there is something to change. */
const SIGNS = [eks.Cluster, eksv2.Cluster, eks.Addon, eksv2.Addon].map((type) => type.PROPERTY_INJECTION_ID);
const NODE_GROUPS = [eks.Nodegroup, eksv2.Nodegroup].map((type) => type.PROPERTY_INJECTION_ID);

/**
 * Gives the constructs of `aws-eks` and `aws-eks-v2` the safe settings that they don't have by default, in code that stays as it is:
 *
 * ```ts
 * const app = new App();
 * SafeDefaults.of(app);
 * ```
 *
 * Only what nobody has said is set; what is written stays, and is judged by the rules. `SafeDefault` lists the settings. It works on what is
 * constructed below the scope afterwards, in all stages: node groups of `Nodegroup`, `addNodegroupCapacity` and a cluster's default capacity, add-ons,
 * launch templates that node groups use, and nodes of `addAutoScalingGroupCapacity`.
 *
 * What is set is an information on its construct, which `cdk synth` lists, and stands in `changes` after the synthesis.
 *
 * A node group that was deployed without a launch template can't be given one, so a group that gets one has another logical id:
 * CloudFormation makes the new group, and then drains and removes the old one.
 *
 * For constructs that exist already, or some of them, there is `SafeDefaultsMixin`.
 *
 * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_UpdateNodegroupVersion.html
 */
export class SafeDefaults {
  /**
   * The safe defaults of a scope.
   *
   * @param scope an app, stage or stack that has no clusters and node groups yet
   * @param props what to change. Default: all of `SafeDefault`, on L2 constructs, without named node groups
   * @throws ConstructionError if the scope has safe defaults already and props are given again
   */
  static of(scope: IConstruct, props?: SafeDefaultsProps): SafeDefaults {
    const existing = OF_SCOPE.get(scope);
    if (existing !== undefined && props !== undefined)
      refuse(scope, 'has SafeDefaults already, whose props stay; give them with the first SafeDefaults.of()');
    return existing ?? new SafeDefaults(scope, props ?? {});
  }

  private readonly decisions = new SafeDecisions();
  private readonly reached = new WeakSet<IConstruct>();
  private readonly resources: SafeResources;
  private readonly repairs: SafeRepairs | undefined;

  private constructor(
    private readonly scope: IConstruct,
    private readonly props: SafeDefaultsProps,
  ) {
    OF_SCOPE.set(scope, this);
    this.resources = new SafeResources(props, this.decisions);
    if (props.repairs !== undefined)
      this.repairs = new SafeRepairs(props, this.decisions, ({ node }) => isAtOrBelow(node.path, scope.node.path));
    this.reach(scope);
    for (const id of SIGNS) this.inject(id, (given) => given);
    for (const id of NODE_GROUPS)
      this.inject(id, (given, at) => {
        const group = safeNodeGroup(given as eksv2.NodegroupProps, at, props);
        this.resources.expect(at.scope, at.id, group);
        return group.props;
      });
    scope.node.addValidation({ validate: () => this.unreached() });
  }

  /** What was set, once the app is synthesized. */
  get changes(): readonly SafeDefaultDecision[] {
    return this.decisions.changes;
  }

  /** What wasn't set and why, once the app is synthesized. */
  get left(): readonly SafeDefaultDecision[] {
    return this.decisions.leftAlone;
  }

  /** A class has one injector for a scope, so one that is there already goes on working, before this one. */
  private inject(id: string, change: (props: unknown, at: InjectionContext) => unknown): void {
    const injectors = PropertyInjectors.of(this.scope);
    const earlier = injectors.for(id);
    injectors.add({
      constructUniqueId: id,
      inject: (given: unknown, at) => {
        this.reach(at.scope);
        return change(earlier === undefined ? given : earlier.inject(given, at), at);
      },
    });
  }

  /** CDK doesn't pass aspects on to stages, so each has its own from when something is constructed in it. */
  private reach(construct: IConstruct): void {
    const stage = Stage.of(construct);
    const target = stage === undefined || stage === Stage.of(this.scope) ? this.scope : stage;
    if (this.reached.has(target)) return;
    this.reached.add(target);
    Aspects.of(target).add(this.resources, { priority: AspectPriority.MUTATING });
    this.repairs?.repairBeforeWriting(stageOf(target));
  }

  /** Stages in which only L1 constructs are for the taking, which nothing told of. */
  private unreached(): string[] {
    if (this.props.includeL1 !== true && this.repairs === undefined) return [];
    const constructs = this.scope.node.findAll();
    const stages = new Set(constructs.filter(isSafeDefaultsTarget).map((construct) => Stage.of(construct)));
    return [...stages]
      .filter((stage) => stage !== undefined && stage !== Stage.of(this.scope))
      .filter((stage) => stage !== undefined && !this.reached.has(stage) && !OF_SCOPE.has(stage))
      .map(
        (stage) =>
          `SafeDefaults don't reach the L1 constructs of the stage ${stage?.node.path ?? ''}, because CDK's aspects don't; add SafeDefaults.of(stage, { includeL1: true }) there`,
      );
  }
}

const OF_SCOPE = new WeakMap<IConstruct, SafeDefaults>();
