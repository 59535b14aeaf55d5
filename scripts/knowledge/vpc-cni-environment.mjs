// Checks vpc-cni-environment.json against a checkout of aws/amazon-vpc-cni-k8s. Defaults, ranges and interplay were read in the
// code and can't be regenerated; what can be recomputed is which variables exist, and which of them the README documents.
import { Checkout, parseArguments, readTable } from './table-file.mjs';

const { paths } = parseArguments(['checkout of aws/amazon-vpc-cni-k8s']);
const upstream = new Checkout(paths[0], 'aws/amazon-vpc-cni-k8s');
const { variables } = readTable('vpc-cni-environment');

const readme = new Set(
  [...upstream.read('README.md').matchAll(/^#{2,5} `([A-Z][A-Za-z0-9_]+)`/gm)].map(([, name]) => name),
);
const goFiles = ['cmd/', 'pkg/', 'utils/']
  .flatMap((folder) => upstream.list(folder))
  .filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
const code = goFiles.map((path) => upstream.read(path)).join('\n');
const manifests = ['charts/aws-vpc-cni/values.yaml', 'config/master/aws-k8s-cni.yaml']
  .map((path) => upstream.read(path))
  .join('\n');

const known = new Set(variables.map(({ name }) => name));
const problems = [];
for (const name of readme) if (!known.has(name)) problems.push(`${name} is in the README and not in the table`);
for (const { name, documented, addonRemovedIn, deprecated } of variables) {
  if (documented !== readme.has(name)) problems.push(`${name}: documented is ${documented}, the README says otherwise`);
  const exists = code.includes(`"${name}"`) || manifests.includes(name);
  if (!exists && addonRemovedIn === undefined && deprecated === undefined)
    problems.push(`${name} is in neither the code nor the manifests`);
}
for (const problem of problems) console.log(problem);
console.log(
  `${variables.length} variables checked at ${upstream.head().commit}; their defaults and rules were not recomputed`,
);
if (problems.length > 0) process.exitCode = 1;
