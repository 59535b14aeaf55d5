import type { Source } from '../value';
import { member, type Cursor } from './cursor';
import { ResourceAttribute, type SplitText } from './unknown-values';

/*
 * Behind the last slash of the ARN of a role or a cluster is its name, which is what `Ref` gives. Sources: IAM user guide, "IAM identifiers"; AWS CloudFormation template
 * reference, "Return values" of AWS::IAM::Role and AWS::EKS::Cluster.
 */

/** Nothing else is called so. */
const NAME = 'NameOfTheResource';

/** The name of the resource whose ARN was split, where an item is just that. */
export function nameInArn(
  { whole, delimiter }: SplitText,
  index: number,
  source: Source,
): ResourceAttribute | undefined {
  if (!(whole instanceof ResourceAttribute) || whole.attribute !== 'Arn') return undefined;
  const arn = arnLike(whole.declaration);
  return arn?.split(delimiter)[index] === NAME ? new ResourceAttribute(whole.declaration, 'Ref', source) : undefined;
}

/** What the ARN of a resource looks like; undefined where that isn't known. */
function arnLike({ raw }: Cursor): string | undefined {
  switch (member(raw, 'Type')) {
    case 'AWS::EKS::Cluster':
      return `arn:aws:eks:eu-west-1:000000000000:cluster/${NAME}`;
    case 'AWS::IAM::Role': {
      const path = member(member(raw, 'Properties'), 'Path') ?? '/';
      return typeof path === 'string' && /^\/(?:[^/]+\/)*$/.test(path)
        ? `arn:aws:iam::000000000000:role${path}${NAME}`
        : undefined;
    }
    default:
      return undefined;
  }
}
