import type { Image, LaunchTemplateUse, NodeGroup, NodeLabel } from '../../../eks';
import { flatMapValue, Known, type Plain, sourceOf, type Value } from '../../../value';
import { asText, type TerraformMap } from '../../../terraform/terraform-value';
import { readImage } from './image';
import { readLaunchTemplateUse } from './launch-template-use';
import { NODE_GROUP } from '../../../eks/resources/node-group';
import { byTable } from './by-table';
import type { Registry } from './registry';

/** `aws_eks_node_group`. */
export class EksNodeGroup extends byTable(NODE_GROUP) implements NodeGroup {
  readonly kind = 'node-group';

  get namePrefix(): Value<string> {
    return this.attributes.text('node_group_name_prefix');
  }

  get releaseImage(): Value<Image> {
    return readImage(this.attributes.raw('release_version'), this.scope);
  }

  get launchTemplate(): Value<LaunchTemplateUse> {
    return readLaunchTemplateUse(this.attributes.block('launch_template'), { id: 'id', name: 'name' }, this.scope);
  }

  get labels(): Value<readonly NodeLabel[]> {
    return flatMapValue(
      this.attributes.entries('labels'),
      (plain): Plain<readonly NodeLabel[]> =>
        plain.kind === 'known' ? new Known(readLabels(plain.value, this.registry), plain.source) : plain,
    );
  }

  get isDesiredSizeIgnored(): true | undefined {
    return this.ignores('scaling_config');
  }

  get isLaunchTemplateIgnored(): true | undefined {
    return this.ignores('launch_template');
  }

  private ignores(argument: string): true | undefined {
    return this.instance.ignoredChanges?.some((name) => name === 'all' || name === argument) === true
      ? true
      : undefined;
  }
}

/** Labels that are `null` are none. */
function readLabels({ entries, more }: TerraformMap, registry: Registry): NodeLabel[] {
  const labels = [...entries].flatMap(([key, item]): NodeLabel[] => {
    const value = asText(registry.link(item));
    const source = sourceOf(value);
    if (value.kind === 'absent') return [];
    return [
      {
        key: flatMapValue(value, (plain): Plain<string> => (plain.kind === 'absent' ? plain : new Known(key, source))),
        value,
        source,
      },
    ];
  });
  return more === undefined ? labels : [...labels, { key: more, value: more, source: more.source }];
}
