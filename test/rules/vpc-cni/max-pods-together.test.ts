import fc from 'fast-check';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { al2, al2023, al2023WithPods, bottlerocket, cni, MAIN, resources, workers } from './max-pods-templates';

/** Rules that all look at the number of pods and at the interfaces of a node; of one defect only one of them speaks. */
const RULES = ['prefix-delegation-max-pods', 'max-pods-capacity', 'custom-networking-conflicts'];

const TYPES = [
  'm5.large',
  'm5.24xlarge',
  't3.nano',
  't3.medium',
  'm4.large',
  'm6g.medium',
  'c5.4xlarge',
  'i3.metal',
  'm99.large',
];
const flag = (name: string, ...values: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .option(fc.constantFrom(...values), { nil: undefined })
    .map((value) => (value === undefined ? {} : { [name]: value }));

const environment = fc
  .tuple(
    flag('ENABLE_PREFIX_DELEGATION', 'true', 'false', 'yes'),
    flag('AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG', 'true'),
    flag('ENABLE_POD_ENI', 'true'),
    flag('MAX_ENI', '1', '2', '4', '-1'),
  )
  .map((parts) => Object.assign({}, ...parts) as Record<string, string>);

const nodes = fc.oneof(
  fc.constantFrom(
    al2023(),
    al2(),
    bottlerocket(),
    al2('--use-max-pods false'),
    al2023('maxPodsExpression: max_pods * 16'),
  ),
  fc.constantFrom(5, 17, 20, 29, 32, 58, 110, 250, 251, 737).map(al2023WithPods),
);

describe('the rules about max pods', () => {
  it('never object to one number twice, and never throw', () => {
    const counts = new Map<string, number>();
    fc.assert(
      fc.property(
        environment,
        fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
        nodes,
        (env, types, template) => {
          const { resources: found } = readTemplates([
            { file: 'template.yaml', text: resources(MAIN, cni(env), workers(...types), template) },
          ]);
          const findings = runRules(
            new EksModel(found),
            allRules.filter(({ id }) => RULES.includes(id)),
          );
          expect(findings.filter(({ rule }) => !RULES.includes(rule))).toEqual([]);
          const failing = new Set(
            findings
              .filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error')
              .map(({ rule }) => rule),
          );
          const speaking = new Set(findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule));
          for (const rule of speaking) counts.set(rule, (counts.get(rule) ?? 0) + 1);
          expect(failing.size).toBeLessThan(2);
          expect(speaking.has('max-pods-capacity') && speaking.has('prefix-delegation-max-pods')).toBe(false);
          if (failing.has('custom-networking-conflicts')) expect(speaking.has('max-pods-capacity')).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
    expect([...counts.keys()]).toEqual(expect.arrayContaining(RULES.slice(0, 2)));
  });
});
