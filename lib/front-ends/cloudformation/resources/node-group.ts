import type {
  Cluster,
  Image,
  LaunchTemplateUse,
  NodeGroup,
  NodeLabel,
  NodeTaint,
  Reference,
  RemoteAccess,
  Role,
  Subnet,
  UpdateConfig,
} from '../../../eks';
import { Absent, flatMapValue, Known, type Plain, type Source, sourceOf, Unknown, type Value } from '../../../value';
import { imageFrom } from '../../parts/image';
import { Block } from '../../../cloudformation/block';
import { type Cursor, isMap } from '../../../cloudformation/cursor';
import { CloudFormationResource } from './cloudformation-resource';
import { readLaunchTemplateUse } from './launch-template-use';
import { clusterReference, roleReference, subnetReferences } from './references';

/** `AWS::EKS::Nodegroup`. */
export class EksNodegroup extends CloudFormationResource implements NodeGroup {
  readonly kind = 'node-group';
  declare private launchTemplateMemo: Value<LaunchTemplateUse> | undefined;

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }

  get name(): Value<string> {
    return this.properties.string('NodegroupName');
  }

  get amiType(): Value<string> {
    return this.properties.string('AmiType');
  }

  get instanceTypes(): Value<readonly Value<string>[]> {
    return this.properties.strings('InstanceTypes');
  }

  get subnets(): Value<readonly Value<Reference<Subnet>>[]> {
    return subnetReferences(this.properties.list('Subnets'));
  }

  get capacityType(): Value<string> {
    return this.properties.string('CapacityType');
  }

  get version(): Value<string> {
    return this.properties.string('Version');
  }

  get releaseVersion(): Value<string> {
    return this.properties.string('ReleaseVersion');
  }

  get releaseImage(): Value<Image> {
    return flatMapValue(this.releaseVersion, imageFrom);
  }

  get nodeRole(): Value<Reference<Role>> {
    return roleReference(this.properties.item('NodeRole'), this.template);
  }

  get forceUpdate(): Value<boolean> {
    return this.properties.boolean('ForceUpdateEnabled');
  }

  get launchTemplate(): Value<LaunchTemplateUse> {
    return (this.launchTemplateMemo ??= readLaunchTemplateUse(
      this.properties.block('LaunchTemplate'),
      { id: 'Id', name: 'Name' },
      this.template.set,
    ));
  }

  get diskSize(): Value<number | string> {
    return this.properties.number('DiskSize');
  }

  get remoteAccess(): Value<RemoteAccess> {
    return this.read('RemoteAccess', (block, source) => ({
      sshKey: block.string('Ec2SshKey'),
      sourceSecurityGroups: block.strings('SourceSecurityGroups'),
      source,
    }));
  }

  get labels(): Value<readonly NodeLabel[]> {
    return flatMapValue(this.properties.block('Labels').map, (plain): Plain<readonly NodeLabel[]> => {
      if (plain.kind !== 'known') return plain;
      const block = Block.of(plain, this.evaluator);
      return new Known(readLabels(plain.value, block), plain.source);
    });
  }

  get taints(): Value<readonly NodeTaint[]> {
    return flatMapValue(this.properties.list('Taints'), (plain): Plain<readonly NodeTaint[]> => {
      if (plain.kind !== 'known') return plain;
      const taints = plain.value.map((item): NodeTaint => {
        const block = Block.of(item, this.evaluator);
        return {
          key: block.string('Key'),
          value: block.string('Value'),
          effect: block.string('Effect'),
          source: sourceOf(item),
        };
      });
      return new Known(taints, plain.source);
    });
  }

  get updateConfig(): Value<UpdateConfig> {
    return this.read('UpdateConfig', (block, source) => ({
      maxUnavailable: block.number('MaxUnavailable'),
      maxUnavailablePercentage: block.number('MaxUnavailablePercentage'),
      strategy: block.string('UpdateStrategy'),
      source,
    }));
  }

  get minSize(): Value<number | string> {
    return this.properties.block('ScalingConfig').number('MinSize');
  }

  get maxSize(): Value<number | string> {
    return this.properties.block('ScalingConfig').number('MaxSize');
  }

  get desiredSize(): Value<number | string> {
    return this.properties.block('ScalingConfig').number('DesiredSize');
  }

  /** What a block of the properties says, as a whole. */
  private read<T>(key: string, fn: (block: Block, source: Source) => T): Value<T> {
    return flatMapValue(
      this.properties.block(key).map,
      (plain): Plain<T> =>
        plain.kind === 'known' ? new Known(fn(Block.of(plain, this.evaluator), plain.source), plain.source) : plain,
    );
  }
}

function readLabels(map: Cursor, block: Block): NodeLabel[] {
  if (!isMap(map.raw)) return [];
  return Object.keys(map.raw).flatMap((key): NodeLabel[] => {
    const source = map.child(key);
    if (key.startsWith('Fn::') && !map.isData) {
      const unknown = new Unknown(`${key} may add labels at deployment`, source);
      return [{ key: unknown, value: unknown, source }];
    }
    const value = block.string(key);
    return value.kind === 'absent' ? [] : [{ key: labelKey(key, value, map.isData, source), value, source }];
  });
}

/** The key where the label is there: `AWS::NoValue` takes it away. */
function labelKey(key: string, value: Value<string>, isData: boolean, source: Source): Value<string> {
  // Keys of parsed JSON show their unknown parts so; a key of the template itself holds none.
  const own =
    isData && key.includes('${')
      ? new Unknown('parts of the label are decided at deployment', source, key)
      : new Known(key, source);
  return flatMapValue(value, (plain): Plain<string> => (plain.kind === 'absent' ? new Absent(source) : own));
}
