import { whereExists } from '../eks';
import { alternativesOf, Unknown, type Plain, type Resource, type Value } from '../value';

/** A value of the code, where its resource exists; unknown where it depends on something that only a deployment decides. */
export function plainOf<T>(resource: Resource, value: Value<T>): Plain<T> {
  const there = whereExists(resource, value);
  if (there.kind !== 'choice') return there;
  const [first, ...others] = alternativesOf(there);
  if (first === undefined) throw new Error('a choice without alternatives');
  const text = textIn(first.value);
  return text !== undefined && others.every(({ value: other }) => textIn(other) === text)
    ? first.value
    : new Unknown(
        `it depends on ${first.when.text === '' ? 'conditions' : `whether ${first.when.text}`}`,
        first.value.source,
      );
}

function textIn(plain: Plain<unknown>): string | undefined {
  return plain.kind === 'known' ? JSON.stringify(plain.value) : undefined;
}

/** A known text; undefined of everything else. */
export function textOf(resource: Resource, value: Value<string>): string | undefined {
  const plain = plainOf(resource, value);
  return plain.kind === 'known' ? plain.value : undefined;
}

/** Whether what deploys a resource looks at what is there, and puts it back, as Terraform does. CloudFormation and eksctl go by what they did last. */
export function looksAtCluster({ dialect }: Resource): boolean {
  return dialect.deployedBy === 'Terraform';
}

/** "The next apply", for a sentence that goes on. */
export function deploymentOf(resource: Resource): string {
  return looksAtCluster(resource) ? 'the next apply' : 'the next deployment';
}
