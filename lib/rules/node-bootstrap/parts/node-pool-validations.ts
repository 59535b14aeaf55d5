import { dataAt, Unknown } from '../../../eks';
import { FILLED_IN, has, itemsOf, keysOf, ofItems, textAt, told, type Check } from './karpenter-validations';

/*
 * The expressions in the definition of a NodePool, by their texts.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds/karpenter.sh_nodepools.yaml.
 */

/** Operators that compare with a number. */
function counted(operators: readonly string[]): Check {
  return ofItems((requirement) => {
    const [operator, values] = [textAt(requirement, 'operator'), dataAt(requirement, 'values') ?? []];
    if (!operators.includes(operator) || values instanceof Unknown) return undefined;
    const [first, ...others] = itemsOf(values);
    const isNumber =
      others.length === 0 &&
      (first instanceof Unknown || (typeof first === 'string' && (/^\+?\d+$/.test(first) || FILLED_IN.test(first))));
    // What is no text is told by its type.
    if (isNumber || (others.length === 0 && typeof first === 'number')) return undefined;
    const key = textAt(requirement, 'key');
    return {
      path: [],
      problem: `has a requirement \`${key}\` with the operator \`${operator}\`, which takes one whole number, as text`,
      advice: 'Write one number in quotes.',
      code: `- key: ${key}\n  operator: ${operator}\n  values: ["4"]`,
    };
  });
}

export const NODE_POOL_CHECKS: Readonly<Record<string, Check>> = {
  "self != ''": told,
  '!has(self.replicas) || !has(self.weight)': (self) =>
    has(self, 'replicas') && has(self, 'weight')
      ? {
          path: ['weight'],
          problem: 'has both `replicas` and `weight`, but pools of a fixed size have no weight',
          advice: 'Take one of them out.',
          code: '',
        }
      : undefined,
  "!has(self.replicas) || (!has(self.limits) || size(self.limits) == 0 || (size(self.limits) == 1 && 'nodes' in self.limits))":
    (self) => {
      const limit = has(self, 'replicas') ? keysOf(dataAt(self, 'limits')).find((key) => key !== 'nodes') : undefined;
      return limit === undefined
        ? undefined
        : {
            path: ['limits', limit],
            problem: `limits \`${limit}\` beside \`replicas\`, but pools of a fixed size have no other limit than \`nodes\``,
            advice: 'Write `limits.nodes`, or take `limits` out.',
            code: '',
          };
    },
  'self.all(x, has(x.schedule) == has(x.duration))': ofItems((budget) => {
    const [there, missing] = has(budget, 'schedule') ? ['schedule', 'duration'] : ['duration', 'schedule'];
    return has(budget, 'schedule') === has(budget, 'duration')
      ? undefined
      : {
          path: [there],
          problem: `has a budget of disruptions with a \`${there}\` and no \`${missing}\``,
          advice:
            'Write both, which say when the budget begins and how long it lasts, or neither: then it always holds.',
          code: 'budgets:\n  - nodes: "0"\n    schedule: "0 9 * * mon-fri"\n    duration: 8h',
          sets: { path: [missing], value: missing === 'schedule' ? '0 9 * * mon-fri' : '8h' },
        };
  }),
  "self.all(x, x.operator == 'In' ? x.values.size() != 0 : true)": ofItems((requirement) => {
    const values = dataAt(requirement, 'values') ?? [];
    if (textAt(requirement, 'operator') !== 'In' || !Array.isArray(values) || values.length > 0) return undefined;
    const key = textAt(requirement, 'key');
    return {
      path: [],
      problem: `has a requirement \`${key}\` with the operator \`In\` and no values`,
      advice: 'Name the values, or take the requirement out.',
      code: `- key: ${key}\n  operator: In\n  values: ["…"]`,
    };
  }),
  "self.all(x, (x.operator == 'Gt' || x.operator == 'Lt') ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)":
    counted(['Gt', 'Lt']),
  "self.all(x, (x.operator == 'Gt' || x.operator == 'Lt' || x.operator == 'Gte' || x.operator == 'Lte') ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)":
    counted(['Gt', 'Lt', 'Gte', 'Lte']),
  "self.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)": ofItems(
    (requirement) => {
      const [values, least] = [dataAt(requirement, 'values'), dataAt(requirement, 'minValues')];
      if (textAt(requirement, 'operator') !== 'In' || typeof least !== 'number') return undefined;
      // Where there are none at all, that is told.
      if (!Array.isArray(values) || values.length === 0 || values.length >= least) return undefined;
      return {
        path: ['minValues'],
        problem: `demands ${least} values of \`${textAt(requirement, 'key')}\` by \`minValues\`, and names ${values.length}`,
        advice: `Name at least as many values, or lower \`minValues\` to ${values.length}.`,
        code: `minValues: ${values.length}`,
      };
    },
  ),
};
