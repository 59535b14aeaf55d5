import { EksModel } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { allRules } from '../../../lib/rules';
import { AS_OF } from '../../as-of';
import {
  CLUSTER,
  create,
  groupWithTemplate,
  LAUNCH_TEMPLATE,
  NODE_GROUP,
  previewFile,
  read,
  SECRET,
  SIGNATURE,
  stateFile,
  stateOf,
  urnOf,
} from './files';
import { UNKNOWN } from './preview';

/** Reads and judges a text, in which nothing may throw. */
function survive(text: string): void {
  const { resources, diagnostics } = read(text);
  runRules(new EksModel(resources), allRules, { asOf: AS_OF });
  for (const { message } of diagnostics) expect(message).not.toMatch(/TypeError|RangeError|at \w+ \(/);
}

const GOOD = previewFile([
  create(stateOf(CLUSTER, 'shop', { name: 'shop', version: '1.35', vpcConfig: { subnetIds: [UNKNOWN] } })),
  ...groupWithTemplate({ httpTokens: 'required' }),
]);

const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  '',
  'x',
  [],
  [[]],
  {},
  { a: null },
  UNKNOWN,
  { [SIGNATURE]: SECRET },
  { [SIGNATURE]: 7 },
];

/** Each place of a value in turn. */
function* placesIn(json: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof json !== 'object' || json === null) return;
  for (const [key, inner] of Object.entries(json)) yield* placesIn(inner, [...path, key]);
}

function withValue(json: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(json)
    ? [...(json as unknown[])]
    : { ...(json as object) };
  const map = copy as Record<string, unknown>;
  map[key] = rest.length === 0 ? value : withValue(map[key], rest, value);
  return copy;
}

describe('hostile files of Pulumi', () => {
  it('have something else in every place', () => {
    const root: unknown = JSON.parse(GOOD);
    let next = 0;
    for (const path of placesIn(root)) survive(JSON.stringify(withValue(root, path, ODD[next++ % ODD.length])));
    expect(next).toBeGreaterThan(50);
  });

  it('have names of what every object has', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      survive(stateFile([stateOf(name, name, { name }), stateOf(`aws:${name}/${name}:${name}`, name, {})]));
      survive(GOOD.replaceAll('"metadataOptions"', `"${name}"`).replaceAll('"launchTemplate"', `"${name}"`));
      survive(GOOD.replaceAll('"create"', `"${name}"`).replaceAll('urn:pulumi', name));
    }
    expect(read(GOOD.replaceAll('"create"', '"constructor"')).resources).toHaveLength(3);
  });

  it('go round in circles', () => {
    const around = (name: string, other: string) =>
      stateOf(
        LAUNCH_TEMPLATE,
        name,
        { name: UNKNOWN, vpcSecurityGroupIds: [UNKNOWN] },
        {
          parent: urnOf(LAUNCH_TEMPLATE, other),
          provider: urnOf(LAUNCH_TEMPLATE, other),
          dependencies: [urnOf(LAUNCH_TEMPLATE, other), urnOf(LAUNCH_TEMPLATE, name)],
          propertyDependencies: {
            name: [urnOf(LAUNCH_TEMPLATE, other)],
            vpcSecurityGroupIds: [urnOf(LAUNCH_TEMPLATE, name)],
          },
        },
      );
    survive(stateFile([around('a', 'b'), around('b', 'a')]));
  });

  it('are deep', () => {
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const depth of [300, 5000])
      for (const type of [CLUSTER, 'kubernetes:core/v1:ConfigMap'])
        survive(stateFile([stateOf(type, 'x', { vpcConfig: 'HERE' })]).replace('"HERE"', deep(depth)));
  });

  it('are large, in time that grows with them', () => {
    const resources = Array.from({ length: 4000 }, (_, index) =>
      stateOf(
        NODE_GROUP,
        `n${index}`,
        { clusterName: 'shop', subnetIds: [UNKNOWN] },
        { propertyDependencies: { subnetIds: [urnOf(CLUSTER, 'shop')] } },
      ),
    );
    const before = performance.now();
    expect(read(stateFile([stateOf(CLUSTER, 'shop', { name: 'shop' }), ...resources])).resources).toHaveLength(4001);
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  it('are cut off, or hide their keys', () => {
    for (let end = 0; end < GOOD.length; end += 97) survive(GOOD.slice(0, end));
    expect(read(GOOD.replace('"steps"', '"\\u0073teps"')).resources).toHaveLength(3);
  });
});
