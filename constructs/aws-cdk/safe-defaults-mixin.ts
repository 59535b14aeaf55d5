import { CfnResource, Mixin } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { stageOf } from '../../aspects/aws-cdk/scope-check';
import { SafeDecisions } from './safe-decisions';
import type { SafeDefaultDecision, SafeDefaultsMixinProps } from './safe-defaults-props';
import { SafeRepairs } from './safe-repairs';
import { isOfNodesOrAddon, SafeResources } from './safe-resources';

/**
 * `SafeDefaults` for constructs that exist already, as one of CDK's mixins: for one of them, or for all below a scope, L1 and L2.
 *
 * ```ts
 * Mixins.of(stack).apply(new SafeDefaultsMixin());
 * cluster.addNodegroupCapacity('Workers').with(new SafeDefaultsMixin());
 * ```
 *
 * What nobody has set is set at once: launch templates of node groups, the metadata options of launch templates that they use, and settings of add-ons.
 * What CDK's L2 constructs have filled in themselves, such as `forceUpdate: true`, looks as if somebody had written it: `repairs` changes it, when the
 * app is synthesized, and `SafeDefaults.of(app)` prevents it.
 *
 * @see https://docs.aws.amazon.com/cdk/v2/guide/mixins.html
 */
export class SafeDefaultsMixin extends Mixin {
  private readonly decisions = new SafeDecisions();
  private readonly applied = new WeakSet<IConstruct>();
  private readonly resources: SafeResources;
  private readonly repairs: SafeRepairs | undefined;

  /** @param props what to change. Default: all of `SafeDefault` that a resource lacks, without named node groups and without repairs */
  constructor(props: SafeDefaultsMixinProps = {}) {
    super();
    this.resources = new SafeResources({ ...props, includeL1: true, includesMadeL2: true }, this.decisions);
    if (props.repairs !== undefined)
      this.repairs = new SafeRepairs(props, this.decisions, (construct) => this.applied.has(construct));
  }

  /** What was set; repairs are among it once the app is synthesized. */
  get changes(): readonly SafeDefaultDecision[] {
    return this.decisions.changes;
  }

  /** What wasn't set and why; what wasn't repaired is among it once the app is synthesized. */
  get left(): readonly SafeDefaultDecision[] {
    return this.decisions.leftAlone;
  }

  /** Add-ons, node groups and what a cluster starts its own nodes from; with `repairs` every resource, which rules may be about. */
  override supports(construct: IConstruct): boolean {
    return this.repairs === undefined ? isOfNodesOrAddon(construct) : CfnResource.isCfnResource(construct);
  }

  /** Called by CDK for each construct that is supported. */
  override applyTo(construct: IConstruct): void {
    this.applied.add(construct);
    this.resources.visit(construct);
    this.repairs?.repairBeforeWriting(stageOf(construct));
  }
}
