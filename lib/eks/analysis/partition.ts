import { partitionOf } from '../../knowledge/partition';
import type { EksModel } from '../model/model';
import type { EksResource } from '../model/resources';
import { alternativesOf, type Resource } from '../../value';

/**
 * The partition that a stack is deployed to (`aws-us-gov`), as far as the input tells: by its own region, or by a zone or an issuer of clusters that it
 * names. Undefined where nothing tells, or where two things contradict each other.
 */
export function partitionOfStack({ stack }: Resource, model: EksModel): string | undefined {
  let found = partitions.get(model);
  if (found === undefined) partitions.set(model, (found = readPartitions(model)));
  return found.get(stack);
}

const partitions = new WeakMap<EksModel, ReadonlyMap<string, string | undefined>>();

function readPartitions({ resources }: EksModel): ReadonlyMap<string, string | undefined> {
  const byStack = new Map<string, string | undefined>();
  for (const resource of resources) {
    for (const partition of partitionsIn(resource)) {
      const { stack } = resource;
      byStack.set(stack, !byStack.has(stack) || byStack.get(stack) === partition ? partition : undefined);
    }
  }
  return byStack;
}

/** `us-gov-west-1a`, and a local zone, `us-east-1-bos-1a`. */
const ZONE = /^([a-z]{2,4}(?:-[a-z]+)+-\d)(?:[a-z]|-[a-z]+-\d[a-z])$/;
const ISSUER = /(?:^|\/\/)oidc\.eks\.([a-z0-9-]+)\./;

function partitionsIn(resource: EksResource): readonly string[] {
  if ('environment' in resource && resource.environment.partition !== undefined)
    return [resource.environment.partition];
  const [text, pattern] =
    resource.kind === 'subnet'
      ? [resource.availabilityZone, ZONE]
      : resource.kind === 'oidc-provider'
        ? [resource.url, ISSUER]
        : [];
  if (text === undefined) return [];
  return alternativesOf(text).flatMap(({ value }) => {
    const region = value.kind === 'known' ? pattern?.exec(value.value)?.[1] : undefined;
    return region === undefined ? [] : [partitionOf(region)];
  });
}
