// Regenerates instance-types.json from checkouts of the four repositories that list EC2 instance types for EKS.
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments([
  'checkout of aws/amazon-vpc-cni-k8s',
  'checkout of aws/amazon-vpc-resource-controller-k8s',
  'checkout of aws/karpenter-provider-aws',
  'checkout of awslabs/amazon-eks-ami',
]);
const cni = new Checkout(paths[0], 'aws/amazon-vpc-cni-k8s');
const controller = new Checkout(paths[1], 'aws/amazon-vpc-resource-controller-k8s');
const karpenter = new Checkout(paths[2], 'aws/karpenter-provider-aws');
const ami = new Checkout(paths[3], 'awslabs/amazon-eks-ami');
const files = {
  cni: 'pkg/vpc/vpc_ip_resource_limit.go',
  controller: 'pkg/aws/vpc/limits.go',
  karpenter: 'pkg/providers/instancetype/zz_generated.vpclimits.go',
  labels: 'website/content/en/preview/reference/instance-types.md',
  maxPods: 'templates/shared/runtime/eni-max-pods.txt',
  nodeadm: 'nodeadm/internal/kubelet/instance-info.jsonl',
};
const before = readTable('instance-types');

const limits = {
  cni: readGoMap(cni.read(files.cni)),
  controller: readGoMap(controller.read(files.controller)),
  karpenter: readGoMap(karpenter.read(files.karpenter)),
};
const labels = readLabels(karpenter.read(files.labels));
const maxPodsRevision = ami.lastRevisionOf(files.maxPods);
const maxPods = readMaxPods(ami.read(files.maxPods, maxPodsRevision));
const nodeadm = new Map(
  ami
    .read(files.nodeadm)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map((info) => [info.instanceType, info]),
);

// The order of the table is kept, so that new types show as added lines; new ones come at the end of their family.
const names = sortLike(Object.keys(before.types), [...new Set([...limits.cni.keys(), ...limits.controller.keys()])]);
const types = Object.fromEntries(names.map((name) => [name, toRow(name)]));
report();
finish(
  'instance-types',
  {
    asOf: [cni, karpenter]
      .map((checkout) => checkout.head().date)
      .sort()
      .at(-1),
    sources: [
      cni.source(files.cni, 'enis, ipv4PerEni, nitro, bareMetal, networkCards'),
      controller.source(files.controller, "trunk, branchEnis; and types that the CNI's list lacks"),
      karpenter.source(files.karpenter, "trunk, branchEnis of types newer than the resource controller's list"),
      karpenter.source(files.labels, 'vcpus, efaInterfaces; cross-check of architecture'),
      ami.source(files.maxPods, 'maxPodsAws; deleted upstream since', { revision: maxPodsRevision }),
      ami.source(files.nodeadm, 'cross-check of enis and ipv4PerEni'),
    ],
    notes: before.notes,
    columns: before.columns,
    types,
  },
  { check, carriedOver: ['the architecture of Mac types, which is in no list'] },
);

function toRow(name) {
  const own = limits.cni.get(name) ?? limits.controller.get(name);
  const trunk = limits.controller.get(name) ?? limits.karpenter.get(name);
  const enis = own.cards[own.defaultCard] ?? own.enis;
  return [
    enis,
    own.ipv4,
    own.hypervisor === 'nitro' || own.bareMetal ? 1 : 0,
    own.bareMetal ? 1 : 0,
    trunk === undefined ? null : trunk.trunk ? 1 : 0,
    trunk === undefined ? null : trunk.branchEnis,
    name.startsWith('mac')
      ? (before.types[name]?.[6] ?? labels.get(name)?.architecture ?? null)
      : architectureByName(name),
    labels.get(name)?.vcpus ?? null,
    maxPods.get(name) ?? null,
    Math.max(1, own.cards.length),
    labels.get(name)?.efaInterfaces ?? null,
  ];
}

/** The entries of a generated Go map of limits; the two generators name the same fields differently. */
function readGoMap(text) {
  const entries = new Map();
  for (const [, name, body] of text.matchAll(/^\t"([a-z0-9.-]+)":\s*\{\n([\s\S]*?)^\t\},?$/gm)) {
    const number = (...fields) =>
      Number(new RegExp(`^\\t\\t(?:${fields.join('|')}):\\s*(\\d+),`, 'm').exec(body)?.[1] ?? 0);
    const flag = (...fields) => new RegExp(`^\\t\\t(?:${fields.join('|')}):\\s*true,`, 'm').test(body);
    entries.set(name, {
      enis: number('ENILimit', 'Interface'),
      ipv4: number('IPv4Limit', 'IPv4PerInterface'),
      trunk: flag('IsTrunkingCompatible'),
      branchEnis: number('BranchInterface'),
      hypervisor: /(?:HypervisorType|Hypervisor):\s*"([^"]*)"/.exec(body)?.[1] ?? '',
      bareMetal: flag('IsBareMetal'),
      defaultCard: number('DefaultNetworkCardIndex'),
      cards: [...body.matchAll(/MaximumNetworkInterfaces:\s*(\d+),/g)].map(([, count]) => Number(count)),
    });
  }
  if (entries.size < 500)
    throw new Error(`only ${entries.size} instance types were found: the layout of the file has changed`);
  return entries;
}

/** vCPUs, architecture and Elastic Fabric Adapters from Karpenter's reference page, which leaves out resources that a type has none of. */
function readLabels(text) {
  const sections = text.split(/^### `([^`]+)`$/m).slice(1);
  const found = new Map();
  for (let index = 0; index < sections.length; index += 2) {
    const label = (name) => new RegExp(`\\|${name.replaceAll('.', '\\.')}\\|([^|]+)\\|`).exec(sections[index + 1])?.[1];
    const arch = label('kubernetes.io/arch');
    found.set(sections[index], {
      vcpus: Number(label('karpenter.k8s.aws/instance-cpu')),
      architecture: arch === 'amd64' ? 'x86_64' : arch,
      efaInterfaces: Number(label('vpc.amazonaws.com/efa') ?? 0),
    });
  }
  return found;
}

function readMaxPods(text) {
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(rows.map((line) => line.trim().split(/\s+/)).map(([name, pods]) => [name, Number(pods)]));
}

/** The naming rule of `architectureByName` in lib/knowledge/instance-types.ts. */
function architectureByName(name) {
  const [, letters, generation, attributes] = /^(u-\d+tb|[a-z]+(?:-[a-z]+)?)(\d+)([a-z]*)/.exec(name) ?? [];
  return (letters === 'a' && generation === '1') || attributes?.includes('g') ? 'arm64' : 'x86_64';
}

function sortLike(order, wanted) {
  const rest = new Set(wanted);
  const result = order.filter((name) => rest.delete(name));
  const family = (name) => name.split('.')[0];
  for (const name of [...rest].sort()) {
    const last = result.findLastIndex((other) => family(other) === family(name));
    if (last < 0) result.push(name);
    else result.splice(last + 1, 0, name);
  }
  return result;
}

/** What two sources say differently of one type; the table's notes tell which one it follows. */
function report() {
  const differences = (title, found) => {
    console.log(`${title}: ${found.length === 0 ? 'no differences' : found.join(', ')}`);
  };
  const column = (name, index) => types[name][index];
  differences(
    'enis and addresses, VPC CNI against nodeadm',
    names.filter(
      (name) =>
        nodeadm.has(name) &&
        (nodeadm.get(name).defaultMaxENIs !== column(name, 0) ||
          nodeadm.get(name).ipv4AddressesPerInterface !== column(name, 1)),
    ),
  );
  differences(
    'AWS max pods against the formula',
    names.filter((name) => maxPods.has(name) && maxPods.get(name) !== column(name, 0) * (column(name, 1) - 1) + 2),
  );
  differences(
    'architecture by name against Karpenter',
    names.filter((name) => labels.has(name) && labels.get(name).architecture !== column(name, 6)),
  );
  differences(
    'trunk, resource controller against Karpenter',
    names.filter(
      (name) =>
        limits.controller.has(name) &&
        limits.karpenter.has(name) &&
        limits.controller.get(name).trunk !== limits.karpenter.get(name).trunk,
    ),
  );
  differences(
    "left out, only in Karpenter's list",
    [...limits.karpenter.keys()].filter((name) => !names.includes(name)),
  );
}
