import type { ClusterView } from '../model/model';
import type { Cluster } from '../model/resources';
import { flatMapValue, Known, nowhere, type Plain, Unknown, type Value } from '../../value';

export type IpFamily = 'ipv4' | 'ipv6';

/** IP family of a cluster's pods and services; absent in the input means IPv4, an imported cluster's isn't known. */
export function ipFamilyOf(view: ClusterView): Value<IpFamily> {
  const { cluster } = view;
  if (cluster === undefined) return new Unknown(`cluster ${view.name} is not part of the input`, nowhere);
  return flatFamily(cluster);
}

function flatFamily(cluster: Cluster): Value<IpFamily> {
  const plain = (value: Plain<string>): Plain<IpFamily> => {
    if (value.kind === 'absent') return new Known<IpFamily>('ipv4', value.source, 'default');
    if (value.kind === 'unknown') return value;
    const family = value.value.toLowerCase();
    if (family === 'ipv4' || family === 'ipv6') return new Known<IpFamily>(family, value.source, value.note);
    return new Unknown(`"${value.value}" is no IP family`, value.source);
  };
  return flatMapValue(cluster.ipFamily, plain);
}
