// Regenerates addon-versions.json from a checkout of plumdog/eks-addon-configuration (stored DescribeAddonVersions responses).
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of plumdog/eks-addon-configuration']);
const upstream = new Checkout(paths[0], 'plumdog/eks-addon-configuration');
const before = readTable('addon-versions');

const addons = Object.fromEntries(Object.keys(before.addons).map((name) => [name, read(name)]));
finish(
  'addon-versions',
  {
    asOf: upstream.head().date,
    sources: [
      {
        repository: upstream.repository,
        path: 'data/<add-on>/addon.json',
        ...upstream.head(),
        gives: before.sources[0].gives,
      },
    ],
    notes: before.notes,
    addons,
  },
  { check },
);

function read(name) {
  const { addonVersions } = JSON.parse(upstream.read(`data/${name}/addon.json`));
  const [newest] = addonVersions;
  return {
    requiresIamPermissions: newest.requiresIamPermissions,
    computeTypesOfNewest: [...newest.computeTypes].sort(),
    versions: addonVersions.map(toRow),
  };
}

function toRow({ addonVersion, compatibilities }) {
  const minors = compatibilities.map(({ clusterVersion }) => Number(clusterVersion.slice(2))).sort((a, b) => a - b);
  const defaults = compatibilities
    .filter(({ defaultVersion }) => defaultVersion)
    .map(({ clusterVersion }) => Number(clusterVersion.slice(2)));
  const isRange = minors.at(-1) - minors[0] === minors.length - 1;
  return {
    version: addonVersion,
    ...(isRange
      ? { first: `1.${minors[0]}`, last: `1.${minors.at(-1)}` }
      : { clusters: minors.map((minor) => `1.${minor}`) }),
    ...(defaults.length > 0 ? { defaultFor: defaults.sort((a, b) => a - b).map((minor) => `1.${minor}`) } : {}),
  };
}
