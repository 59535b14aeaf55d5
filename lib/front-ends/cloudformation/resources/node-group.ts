import type { Image, LaunchTemplateUse, NodeGroup, NodeLabel } from '../../../eks';
import { Absent, flatMapValue, Known, type Plain, type Source, Unknown, type Value } from '../../../value';
import { imageFrom } from '../../parts/image';
import { Block } from '../../../cloudformation/block';
import { type Cursor, isMap } from '../../../cloudformation/cursor';
import { NODE_GROUP } from '../../../eks/resources/node-group';
import { byTable } from './by-table';
import { readLaunchTemplateUse } from './launch-template-use';

/** `AWS::EKS::Nodegroup`. */
export class EksNodegroup extends byTable(NODE_GROUP) implements NodeGroup {
  readonly kind = 'node-group';
  declare private launchTemplateMemo: Value<LaunchTemplateUse> | undefined;

  get releaseImage(): Value<Image> {
    return flatMapValue(this.releaseVersion, imageFrom);
  }

  get launchTemplate(): Value<LaunchTemplateUse> {
    return (this.launchTemplateMemo ??= readLaunchTemplateUse(
      this.properties.block('LaunchTemplate'),
      { id: 'Id', name: 'Name' },
      this.template.set,
    ));
  }

  get labels(): Value<readonly NodeLabel[]> {
    return flatMapValue(this.properties.block('Labels').map, (plain): Plain<readonly NodeLabel[]> => {
      if (plain.kind !== 'known') return plain;
      const block = Block.of(plain, this.evaluator);
      return new Known(readLabels(plain.value, block), plain.source);
    });
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
