import { dataAt, Unknown, type Data } from '../../../eks';
import {
  fieldsInWords,
  has,
  itemsOf,
  keysOf,
  ofItems,
  textAt,
  told,
  type Check,
  type Found,
} from './karpenter-validations';

/*
 * The expressions in the definition of an EC2NodeClass, by their texts.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds/karpenter.k8s.aws_ec2nodeclasses.yaml.
 */

/** A term of a selector that has none of what selects. */
function selecting(what: string, keys: readonly string[]): Check {
  return ofItems((term) =>
    keys.some((key) => has(term, key))
      ? undefined
      : {
          path: [],
          problem: `has a term for ${what} with none of ${fieldsInWords(keys)}, which so selects nothing`,
          advice: `Say in each term which ${what} it selects, by one of ${fieldsInWords(keys)}, or take the term out.`,
          code: '',
        },
  );
}

/** A term that names something beside what tells it alone. */
function alone(term: Data, what: string, key: string, others: readonly string[]): Found | undefined {
  const beside = has(term, key) ? others.filter((other) => has(term, other)) : [];
  if (beside.length === 0) return undefined;
  return {
    path: [key],
    problem: `selects ${what} by \`${key}\` together with ${fieldsInWords(beside)} in one term, which \`${key}\` excludes`,
    advice: `Leave \`${key}\` alone in its term: what another one says goes into a term of its own.`,
    code: '',
  };
}

/** The expressions of some selectors refuse a list only if all of its terms are so, and with that an empty one. */
function notAllWith(what: string, key: string, others: readonly string[], ifEmpty?: Found): Check {
  return (self) => {
    const terms = itemsOf(self);
    if (terms.length === 0) return ifEmpty;
    const found = terms.map((term) => (term instanceof Unknown ? undefined : alone(term, what, key, others)));
    const [first] = found;
    return first === undefined || found.includes(undefined) ? undefined : { ...first, path: ['0', ...first.path] };
  };
}

const NO_RESERVATIONS: Found = {
  path: [],
  problem: 'has an empty list of `capacityReservationSelectorTerms`, which its expression refuses',
  advice: 'Take `capacityReservationSelectorTerms` out.',
  code: '',
};

/** Tags with an empty key or value. */
const emptyTags: Check = (self) => {
  const key = keysOf(self).find((one) => one === '' || dataAt(self, one) === '');
  return key === undefined
    ? undefined
    : {
        path: key === '' ? [] : [key],
        problem: `selects by a tag without ${key === '' ? 'a key' : `a value, \`${key}\``}, which no expression of Karpenter's takes`,
        advice: 'Write key and value; the value `*` stands for any.',
        code: key === '' ? '' : `${key}: "*"`,
      };
};

function restrictedTag(matches: (tag: string) => boolean): Check {
  return (self) => {
    const tag = keysOf(self).find(matches);
    return tag === undefined
      ? undefined
      : {
          path: [tag],
          problem: `has the tag \`${tag}\`, which Karpenter sets by itself`,
          advice: 'Take the tag out.',
          code: '',
        };
  };
}

/** Keys of a map of the kubelet that it doesn't know. */
function kubeletKeys(what: string, keys: readonly string[]): Check {
  return (self) => {
    const wrong = keysOf(self).find((key) => !keys.includes(key));
    return wrong === undefined
      ? undefined
      : {
          path: [wrong],
          problem: `names \`${wrong}\` as ${what} of its kubelet, which is none`,
          advice: `Write one of ${fieldsInWords(keys)}.`,
          code: '',
        };
  };
}

/** Soft evictions without the time that they wait, or the reverse. */
function paired(key: string, other: string, what: string): Check {
  return (self) => {
    const signal = keysOf(dataAt(self, key)).find((one) => {
      const beside = dataAt(self, other);
      return !(beside instanceof Unknown) && !keysOf(beside).includes(one);
    });
    return signal === undefined
      ? undefined
      : {
          path: [key, signal],
          problem: `has \`${signal}\` in \`kubelet.${key}\` and not in \`kubelet.${other}\``,
          advice: `${what} for the same signal, or take it out here.`,
          code: `kubelet:\n  ${key}:\n    ${signal}: ${key === 'evictionSoft' ? '10%' : '2m'}\n  ${other}:\n    ${signal}: ${other === 'evictionSoft' ? '10%' : '2m'}`,
        };
  };
}

const negative: Check = (self) => {
  const key = keysOf(self).find((one) => textAt(self, one).startsWith('-'));
  return key === undefined
    ? undefined
    : {
        path: [key],
        problem: `reserves \`${textAt(self, key)}\` of \`${key}\` for the node, which is less than nothing`,
        advice: 'Write an amount of zero or more.',
        code: '',
      };
};

const EVICTION_SIGNALS = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
];

const familyOf = (alias: string, name: string): string =>
  `!has(self.amiFamily) || (self.amiSelectorTerms.exists(x, has(x.alias) && x.alias.find('^[^@]+') == '${alias}') ? (self.amiFamily == 'Custom' || self.amiFamily == '${name}') : true)`;
const WINDOWS = "'windows2019','windows2022'";

export const NODE_CLASS_CHECKS: Readonly<Record<string, Check>> = {
  '(has(self.role) && !has(self.instanceProfile)) || (!has(self.role) && has(self.instanceProfile))': told,
  'self.amiSelectorTerms.exists(x, has(x.alias)) ? true : has(self.amiFamily)': told,
  [familyOf('al2', 'AL2')]: told,
  [familyOf('al2023', 'AL2023')]: told,
  [familyOf('bottlerocket', 'Bottlerocket')]: told,
  [familyOf('windows2019', 'Windows2019')]: told,
  [familyOf('windows2022', 'Windows2022')]: told,
  [familyOf('windows2025', 'Windows2025')]: told,
  '!(self.exists(x, has(x.alias)) && self.size() != 1)': told,
  '!self.exists(x, has(x.alias) && (has(x.id) || has(x.tags) || has(x.name) || has(x.owner)))': told,
  "self.matches('^[a-zA-Z0-9]+@.+$')": told,
  [`self.split('@')[0] in ['al2','al2023','bottlerocket',${WINDOWS}]`]: (self) =>
    // What no version knows is told.
    typeof self === 'string' && self.startsWith('windows2025@')
      ? {
          path: [],
          problem: `has the AMI alias \`${self}\`, which Karpenter takes since 1.9, and the cluster has an older one`,
          advice: 'Update Karpenter, its CRDs first, or take `windows2022@latest`.',
          code: 'amiSelectorTerms:\n  - alias: windows2022@latest',
        }
      : undefined,
  [`self.split('@')[0] in ['al2','al2023','bottlerocket',${WINDOWS},'windows2025']`]: told,
  [`self.split('@')[0] in [${WINDOWS}] ? self.split('@')[1] == 'latest' : true`]: told,
  [`self.split('@')[0] in [${WINDOWS},'windows2025'] ? self.split('@')[1] == 'latest' : true`]: told,
  'self.size() != 0': told,
  "self != ''": told,
  'self.all(x, has(x.tags) || has(x.id) || has(x.name) || has(x.alias))': selecting('AMIs', [
    'tags',
    'id',
    'name',
    'alias',
  ]),
  'self.all(x, has(x.tags) || has(x.id) || has(x.name) || has(x.alias) || has(x.ssmParameter))': selecting('AMIs', [
    'tags',
    'id',
    'name',
    'alias',
    'ssmParameter',
  ]),
  '!self.exists(x, has(x.id) && (has(x.alias) || has(x.tags) || has(x.name) || has(x.owner)))': ofItems((term) =>
    // An alias that isn't alone is told.
    has(term, 'alias') ? undefined : alone(term, 'AMIs', 'id', ['tags', 'name', 'owner']),
  ),
  'self.all(x, has(x.tags) || has(x.id) || has(x.name))': selecting('security groups', ['tags', 'id', 'name']),
  '!self.all(x, has(x.id) && (has(x.tags) || has(x.name)))': notAllWith('security groups', 'id', ['tags', 'name']),
  '!self.all(x, has(x.name) && (has(x.tags) || has(x.id)))': notAllWith('security groups', 'name', ['tags', 'id']),
  // Subnets, and capacity reservations until 1.7.
  'self.all(x, has(x.tags) || has(x.id))': selecting('what it is about', ['tags', 'id']),
  '!self.all(x, has(x.id) && has(x.tags))': notAllWith('subnets', 'id', ['tags']),
  'self.all(x, has(x.tags) || has(x.id) || has(x.instanceMatchCriteria))': selecting('capacity reservations', [
    'tags',
    'id',
    'instanceMatchCriteria',
  ]),
  '!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID)))': notAllWith(
    'capacity reservations',
    'id',
    ['tags', 'ownerID'],
    NO_RESERVATIONS,
  ),
  '!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID) || has(x.instanceMatchCriteria)))': notAllWith(
    'capacity reservations',
    'id',
    ['tags', 'ownerID', 'instanceMatchCriteria'],
    NO_RESERVATIONS,
  ),
  "self.all(k, k != '' && self[k] != '')": emptyTags,
  "self.all(k, k != '')": (self) =>
    keysOf(self).includes('')
      ? { path: [], problem: 'has a tag without a key', advice: 'Name the tag, or take it out.', code: '' }
      : undefined,
  "self.all(k, k !='eks:eks-cluster-name')": restrictedTag((tag) => tag === 'eks:eks-cluster-name'),
  "self.all(k, !k.startsWith('kubernetes.io/cluster') )": restrictedTag((tag) =>
    tag.startsWith('kubernetes.io/cluster'),
  ),
  "self.all(k, k != 'karpenter.sh/nodepool')": restrictedTag((tag) => tag === 'karpenter.sh/nodepool'),
  "self.all(k, k !='karpenter.sh/nodeclaim')": restrictedTag((tag) => tag === 'karpenter.sh/nodeclaim'),
  "self.all(k, k !='karpenter.k8s.aws/ec2nodeclass')": restrictedTag((tag) => tag === 'karpenter.k8s.aws/ec2nodeclass'),
  'self.filter(x, has(x.rootVolume)?x.rootVolume==true:false).size() <= 1': (self) => {
    const roots = [...itemsOf(self).entries()].filter(([, mapping]) => dataAt(mapping, 'rootVolume') === true);
    const [, second] = roots;
    return second === undefined
      ? undefined
      : {
          path: [String(second[0]), 'rootVolume'],
          problem: `makes ${roots.length} of its \`blockDeviceMappings\` the root volume`,
          advice: 'Leave `rootVolume: true` with one of them.',
          code: '',
        };
  },
  'has(self.snapshotID) || has(self.volumeSize)': (self) =>
    has(self, 'snapshotID') || has(self, 'volumeSize')
      ? undefined
      : {
          path: [],
          problem: 'maps a volume (`ebs`) with neither `volumeSize` nor `snapshotID`',
          advice: 'Say how large the volume is, or of which snapshot it is made.',
          code: 'ebs:\n  volumeSize: 100Gi\n  volumeType: gp3',
        },
  "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')": (self) =>
    has(self, 'volumeInitializationRate') && (!has(self, 'snapshotID') || dataAt(self, 'snapshotID') === '')
      ? {
          path: ['volumeInitializationRate'],
          problem: 'sets `volumeInitializationRate` for a volume that is made of no snapshot',
          advice: 'Name the snapshot in `snapshotID`, or take the rate out.',
          code: '',
        }
      : undefined,
  'has(self.imageGCHighThresholdPercent) && has(self.imageGCLowThresholdPercent) ?  self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent  : true':
    (self) => {
      const [high, low] = [dataAt(self, 'imageGCHighThresholdPercent'), dataAt(self, 'imageGCLowThresholdPercent')];
      return typeof high !== 'number' || typeof low !== 'number' || high > low
        ? undefined
        : {
            path: ['imageGCHighThresholdPercent'],
            problem: `has ${high} as \`kubelet.imageGCHighThresholdPercent\`, which isn't above \`imageGCLowThresholdPercent\`, ${low}`,
            advice: 'Write the higher one as `imageGCHighThresholdPercent`; the kubelet takes 85 and 80 by itself.',
            code: 'kubelet:\n  imageGCHighThresholdPercent: 85\n  imageGCLowThresholdPercent: 80',
          };
    },
  'has(self.evictionSoft) ? self.evictionSoft.all(e, (e in self.evictionSoftGracePeriod)):true': paired(
    'evictionSoft',
    'evictionSoftGracePeriod',
    'Say how long the kubelet waits',
  ),
  'has(self.evictionSoftGracePeriod) ? self.evictionSoftGracePeriod.all(e, (e in self.evictionSoft)):true': paired(
    'evictionSoftGracePeriod',
    'evictionSoft',
    'Name the threshold',
  ),
  "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])":
    kubeletKeys('signal for evictions', EVICTION_SIGNALS),
  "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')": kubeletKeys('reserved resource', [
    'cpu',
    'memory',
    'ephemeral-storage',
    'pid',
  ]),
  "self.all(x, !self[x].startsWith('-'))": negative,
  "self.size() == 0 || self.exists(x, x.deviceIndex == 0 && x.networkCardIndex == 0 && x.interfaceType == 'interface')":
    (self) => {
      const isPrimary = (one: Data): boolean =>
        [
          ['deviceIndex', 0],
          ['networkCardIndex', 0],
          ['interfaceType', 'interface'],
        ].every(([key, value]) => {
          const data = dataAt(one, String(key));
          return data === value || data instanceof Unknown;
        });
      return itemsOf(self).length === 0 || itemsOf(self).some(isPrimary)
        ? undefined
        : {
            path: [],
            problem: 'has `networkInterfaces` without the primary one',
            advice: 'Add the one with both indexes 0 that is an `interface`.',
            code: 'networkInterfaces:\n  - networkCardIndex: 0\n    deviceIndex: 0\n    interfaceType: interface',
          };
    },
  "self.all(x, self.filter(y, x.networkCardIndex == y.networkCardIndex && x.deviceIndex == y.deviceIndex).size() == 1 && (x.interfaceType != 'efa-only' || self.filter(y, x.networkCardIndex == y.networkCardIndex && y.interfaceType == 'efa-only').size() == 1))":
    (self) => {
      const seen = new Set<string>();
      return ofItems((one) => {
        const [card, device] = [dataAt(one, 'networkCardIndex'), dataAt(one, 'deviceIndex')];
        if (typeof card !== 'number' || typeof device !== 'number') return undefined;
        const taken = [`${card}/${device}`, ...(dataAt(one, 'interfaceType') === 'efa-only' ? [`${card} efa`] : [])];
        const isTaken = taken.some((place) => seen.has(place));
        for (const place of taken) seen.add(place);
        return isTaken
          ? {
              path: [],
              problem: `has two \`networkInterfaces\` in the same place of network card ${card}`,
              advice: 'Give each its own `deviceIndex`, and each network card at most one that is `efa-only`.',
              code: '',
            }
          : undefined;
      })(self);
    },
  'has(self.name) || has(self.id)': (self) =>
    has(self, 'name') || has(self, 'id')
      ? undefined
      : {
          path: [],
          problem: 'has a `placementGroupSelector` with neither `name` nor `id`',
          advice: 'Name the placement group, or take the selector out.',
          code: '',
        },
  '!(has(self.name) && has(self.id))': (self) => alone(self, 'its placement group', 'id', ['name']),
  'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)': (self) =>
    ['tcpEstablishedTimeout', 'udpStreamTimeout', 'udpTimeout'].some((key) => has(self, key))
      ? undefined
      : { path: [], problem: 'has `connectionTracking` without any time in it', advice: 'Take it out.', code: '' },
};
