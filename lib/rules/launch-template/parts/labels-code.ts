import type { NodeLabel } from '../../../eks';
import { labelReservedBy } from '../../../eks/user-data/node-labels';
import { alternativesOf } from '../../../value';
import { writtenCode } from '../../parts/written-code';

export type LabelsCode = Readonly<Record<'inTemplate' | 'inCdk' | 'inTerraform', string>>;

const WORDS_ONLY: LabelsCode = { inTemplate: '', inCdk: '', inTerraform: '' };

/** What a domain of one's own is in examples (RFC 2606). */
const OWN_DOMAIN = 'example.com';

/**
 * All labels of a group, which are written as a whole, with those of a reserved domain in one of the user's own. Words alone say it where a label isn't
 * known, and where two would be called the same.
 */
export function withOwnDomain(labels: readonly NodeLabel[]): LabelsCode {
  const lines = new Map<string, LabelsCode>();
  for (const { key, value } of labels) {
    const [only, ...others] = alternativesOf(value);
    if (key.kind !== 'known' || only?.value.kind !== 'known' || others.length > 0) return WORDS_ONLY;
    const name = labelReservedBy(key.value) === undefined ? key.value : `${OWN_DOMAIN}/${key.value.split('/').at(-1)}`;
    if (lines.has(name)) return WORDS_ONLY;
    const { yaml, cdk, hcl } = writtenCode(only.value, '');
    const inYaml = yaml.startsWith('!') ? yaml : `'${yaml.replaceAll("'", "''")}'`;
    lines.set(name, {
      inTemplate: `${name}: ${inYaml}`,
      inCdk: `'${name}': ${cdk},`,
      inTerraform: `"${name}" = ${hcl}`,
    });
  }
  const all = [...lines.values()];
  return {
    inTemplate: ['Labels:', ...all.map((line) => `  ${line.inTemplate}`)].join('\n'),
    inCdk: ['labels: {', ...all.map((line) => `  ${line.inCdk}`), '},'].join('\n'),
    inTerraform: ['labels = {', ...all.map((line) => `  ${line.inTerraform}`), '}'].join('\n'),
  };
}
