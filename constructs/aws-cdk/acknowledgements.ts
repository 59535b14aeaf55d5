import { CfnResource, Stack, Validations, type Acknowledgment } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { acknowledgementId } from '../../lib/engine';

/** Key under which readers of templates find suppressions and notes. */
const METADATA_KEY = 'eks-guardrails';

/**
 * Records a deliberate deviation from one of this library's rules: for the validation plugin in the construct tree, and
 * for everything that reads the template in the resource's metadata.
 */
export function acknowledgeRule(resource: IConstruct, rule: string, reason: string): void {
  Validations.of(resource).acknowledge({ id: acknowledgementId(rule), reason });
  const template = CfnResource.isCfnResource(resource) ? resource : resource.node.defaultChild;
  if (!CfnResource.isCfnResource(template)) return;
  const own = ownMetadata(template);
  const earlier: readonly unknown[] = Array.isArray(own.suppress) ? own.suppress : [];
  template.addMetadata(METADATA_KEY, { ...own, suppress: [...earlier, { rule, reason }] });
}

/**
 * The same up to a day (`YYYY-MM-DD`), after which the rule reports again. In the template alone: CDK's own acknowledgements
 * don't end, and its plugins see this one.
 */
export function acknowledgeRuleUntil(resource: CfnResource, rule: string, reason: string, until: string): void {
  const own = ownMetadata(resource);
  const earlier: readonly unknown[] = Array.isArray(own.suppress) ? own.suppress : [];
  resource.addMetadata(METADATA_KEY, { ...own, suppress: [...earlier, { rule, reason, until }] });
}

/** A note in the template, where a reader or another scanner looks for the reason of a setting. */
export function explain(resource: CfnResource, setting: string, text: string): void {
  const own = ownMetadata(resource);
  resource.addMetadata(METADATA_KEY, { ...own, notes: { ...(isMap(own.notes) ? own.notes : {}), [setting]: text } });
}

function ownMetadata(resource: CfnResource): Readonly<Record<string, unknown>> {
  const metadata: unknown = resource.getMetadata(METADATA_KEY);
  return isMap(metadata) ? metadata : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** cdk-nag writes the partition of an environment-agnostic ARN like this in the ids of its findings. */
const PARTITION = '<AWS::Partition>';

/**
 * Acknowledges cdk-nag's AwsSolutions-IAM4 for one AWS managed policy. Written through CDK core, which cdk-nag 3 reads, so
 * that cdk-nag itself needn't be installed.
 */
export function acknowledgeManagedPolicy(role: IConstruct, policyName: string, reason: string): void {
  acknowledgeForNag(role, { id: `AwsSolutions-IAM4[Policy::arn:${PARTITION}:iam::aws:policy/${policyName}]`, reason });
}

/** Acknowledges cdk-nag's AwsSolutions-IAM5 for those resources of a policy that have wildcards. */
export function acknowledgeWildcards(policy: IConstruct, resources: readonly string[], reason: string): void {
  const ids = new Set(
    resources
      .filter((resource) => resource.includes('*'))
      .map((resource) => nagText(Stack.of(policy).resolve(resource))),
  );
  acknowledgeForNag(policy, ...[...ids].map((text) => ({ id: `AwsSolutions-IAM5[Resource::${text}]`, reason })));
}

/** A resolved text as cdk-nag writes it in the ids of its findings: `arn:<AWS::Partition>:…`. */
function nagText(value: unknown): string {
  if (!isMap(value)) return String(value);
  if ('Ref' in value) return `<${String(value.Ref)}>`;
  const join: readonly unknown[] = Array.isArray(value['Fn::Join']) ? value['Fn::Join'] : [];
  const [separator, parts] = join;
  return Array.isArray(parts) ? parts.map(nagText).join(String(separator)) : JSON.stringify(value);
}

/**
 * aws-cdk-lib before 2.269 refuses ids that hold `::`, as those of cdk-nag do. Without cdk-nag nothing is lost by leaving them
 * out; a construct that can't be made would be worse.
 */
export function acknowledgeForNag(scope: IConstruct, ...acknowledgements: Acknowledgment[]): void {
  for (const acknowledgement of acknowledgements) {
    try {
      Validations.of(scope).acknowledge(acknowledgement);
    } catch (error) {
      if (
        !String(error).includes('InvalidValidationId') &&
        !(error instanceof Error && error.name === 'InvalidValidationId')
      )
        throw error;
    }
  }
}
