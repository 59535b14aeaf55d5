// Regenerates the names and traits of ami-types.json from two unpacked npm packages: @aws-sdk/client-eks (the enum of the
// API) and aws-cdk-lib (NodegroupAmiType). First and last Kubernetes versions are in no list and are carried over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['folder of @aws-sdk/client-eks', 'folder of aws-cdk-lib']);
const [sdk, cdk] = paths;
const before = readTable('ami-types');
const known = new Map(before.amiTypes.map((type) => [type.name, type]));
const versionOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

const names = enumValues(readFileSync(join(sdk, 'dist-types/models/enums.d.ts'), 'utf8'));
const cdkNames = new Set(
  readFileSync(join(cdk, 'aws-eks/lib/managed-nodegroup.js'), 'utf8')
    .match(/"(?:AL2|AL2023|BOTTLEROCKET|WINDOWS)_[A-Za-z0-9_]+"/g)
    ?.map((text) => text.slice(1, -1)),
);
const order = [...known.keys()].filter((name) => names.includes(name));
const amiTypes = [...order, ...names.filter((name) => !known.has(name))].map(toRow);

const fresh = names.filter((name) => !known.has(name));
finish(
  'ami-types',
  {
    ...before,
    sources: before.sources.map((source) =>
      source.package === undefined
        ? source
        : { ...source, version: versionOf(source.package === 'aws-cdk-lib' ? cdk : sdk) },
    ),
    amiTypes,
  },
  {
    check,
    carriedOver: [
      'minVersion and maxVersion',
      'asOf and the dates of the packages: write them by hand',
      ...(fresh.length > 0 ? [`nothing for ${fresh.join(', ')}: look for their bounds`] : []),
    ],
  },
);

function enumValues(text) {
  const block = /export declare const AMITypes: \{([\s\S]*?)\};/.exec(text)?.[1];
  if (block === undefined) throw new Error('no enum AMITypes: the layout of the package has changed');
  return [...block.matchAll(/readonly \w+: "([^"]+)";/g)].map(([, name]) => name);
}

function toRow(name) {
  const custom = name === 'CUSTOM';
  const accelerator = /NVIDIA/.test(name)
    ? 'nvidia'
    : /NEURON/.test(name)
      ? 'neuron'
      : /_GPU$/.test(name)
        ? 'nvidia-or-neuron'
        : null;
  return {
    name,
    family: custom ? 'CUSTOM' : name.split('_')[0],
    architecture: custom ? null : name.includes('ARM_64') ? 'arm64' : 'x86_64',
    minVersion: known.get(name)?.minVersion ?? null,
    maxVersion: known.get(name)?.maxVersion ?? null,
    gpu: custom ? null : accelerator?.startsWith('nvidia') === true,
    fips: custom ? null : name.endsWith('_FIPS'),
    accelerator,
    inCdkEnum: cdkNames.has(name),
  };
}
