import type { Unknown } from '../value';
import type { TerraformInstance } from './instance';
import { TerraformMap } from './terraform-value';

/*
 * What an ARN or an id is made of that is known only after apply: behind the last slash of the ARN of a role or a cluster is its name, and before the colon of the
 * id of a node group that of its cluster. Sources: IAM user guide, "IAM identifiers"; Amazon EKS, "Actions, resources, and condition keys";
 * hashicorp/terraform-provider-aws, internal/service/eks/node_group.go and addon.go.
 */

/** A text as one that isn't known may look, and what some of its parts stand for. */
export interface StandIn {
  /** One, or several where something beside those parts may be this or that. */
  readonly texts: readonly string[];
  /** By how they stand in the text, the attribute of the instance that they are. */
  readonly parts: ReadonlyMap<string, string>;
  readonly instance: TerraformInstance;
}

/** Nothing else is called so. Letters and digits alone, for patterns that describe names. */
const NAME = 'n4m3Kx7qStandsForIt';
const OTHER_NAME = 'o7h3rKx7qStandsForIt';

/** What stands for the number of the account and for the partition. */
export const STAND_IN_ACCOUNT = '000000000000';
export const STAND_IN_PARTITION = 'aws';

const ARN = `arn:${STAND_IN_PARTITION}`;

/** What an attribute looks like that is known only after apply; undefined if nothing tells. */
export function standInFor({ reference }: Unknown): StandIn | undefined {
  const instance: Partial<TerraformInstance> | undefined = reference?.resource;
  if (instance?.type === undefined || instance.attributes === undefined) return undefined;
  return reference?.attribute === 'arn'
    ? arnOf(instance as TerraformInstance)
    : reference?.attribute === 'id'
      ? idOf(instance as TerraformInstance)
      : undefined;
}

function arnOf(instance: TerraformInstance): StandIn | undefined {
  const parts = new Map([[NAME, 'name']]);
  switch (instance.type) {
    case 'aws_iam_role':
      return {
        texts: pathsOf(instance).map((path) => `${ARN}:iam::${STAND_IN_ACCOUNT}:role${path}${NAME}`),
        parts,
        instance,
      };
    case 'aws_eks_cluster':
      return { texts: [`${ARN}:eks:eu-west-1:${STAND_IN_ACCOUNT}:cluster/${NAME}`], parts, instance };
    default:
      return undefined;
  }
}

/** The path of a role; where it isn't known, two of different lengths: what doesn't depend on it is the same with both. */
function pathsOf({ attributes, mode }: TerraformInstance): readonly string[] {
  const item = attributes.kind === 'known' ? attributes.value : undefined;
  if (mode === 'managed' && item instanceof TerraformMap) {
    const path = item.entry('path');
    if (path === undefined || path.kind === 'absent') return ['/'];
    if (path.kind === 'known' && typeof path.value === 'string' && /^\/(?:[^/]+\/)*$/.test(path.value))
      return [path.value];
  }
  return ['/', '/some/path/'];
}

function idOf(instance: TerraformInstance): StandIn | undefined {
  const second = { aws_eks_node_group: 'node_group_name', aws_eks_addon: 'addon_name' }[instance.type];
  if (second === undefined || instance.mode === 'data') return undefined;
  const parts = new Map([
    [NAME, 'cluster_name'],
    [OTHER_NAME, second],
  ]);
  return { texts: [`${NAME}:${OTHER_NAME}`], parts, instance };
}
