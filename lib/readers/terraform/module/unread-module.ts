import { Known, Unknown, type Source, type When } from '../../../value';
import type { TerraformInstance } from '../instance';
import { TerraformMap, type TerraformItem, type TerraformValue } from '../value';

/** A call of a module that isn't here. */
export interface UnreadCall {
  readonly address: string;
  readonly place: Source;
  readonly exists: When;
  readonly stack: string;
  readonly frontEnd: TerraformInstance['frontEnd'];
  readonly region: string | undefined;
  argument(name: string): TerraformValue | undefined;
}

/**
 * Add-ons of EKS that a module which isn't here is asked for by name: `eks_addons` of aws-ia/eks-blueprints-addons. What it makes of them isn't
 * known, but that they are there keeps others from being judged as if they weren't.
 */
export function addonsAskedFor(call: UnreadCall): readonly TerraformInstance[] {
  const asked = call.argument('eks_addons');
  const cluster = call.argument('cluster_name');
  if (asked?.kind !== 'known' || !(asked.value instanceof TerraformMap) || cluster === undefined) return [];
  const rest = new Unknown(`${call.address} isn't here`, call.place);
  return [...asked.value.entries.keys()].map((name): TerraformInstance => {
    const attributes = new TerraformMap(
      new Map<string, TerraformValue>([
        ['addon_name', new Known<TerraformItem>(name, call.place)],
        ['cluster_name', cluster],
      ]),
      rest,
    );
    const { address, place, exists, stack, frontEnd, region } = call;
    return {
      address: `${address}.aws_eks_addon.this[${JSON.stringify(name)}]`,
      mode: 'managed',
      type: 'aws_eks_addon',
      module: address,
      attributes: new Known<TerraformItem>(attributes, place),
      source: place,
      exists,
      stack,
      frontEnd,
      path: undefined,
      region,
    };
  });
}
