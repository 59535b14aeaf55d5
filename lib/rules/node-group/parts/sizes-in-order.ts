import type { Plain } from '../../../eks';
import { writtenCode } from '../../parts/written-code';

type Size = Plain<number | string>;

/** How many nodes a group has. */
export interface Sizes {
  readonly minimum: Size;
  readonly desired: Size;
  readonly maximum: Size;
}

const NAMES = [
  ['minimum', 'MinSize', 'minSize', 'min_size    '],
  ['desired', 'DesiredSize', 'desiredSize', 'desired_size'],
  ['maximum', 'MaxSize', 'maxSize', 'max_size    '],
] as const;

export type SizesCode = Readonly<Record<'inTemplate' | 'inCdk' | 'inTerraform', string>>;

const WORDS_ONLY: SizesCode = { inTemplate: '', inCdk: '', inTerraform: '' };

/**
 * Code with the sizes of a group in order. It takes no node away: a maximum below the minimum is raised, and then the bounds hold the desired size.
 * Nothing where a size isn't known, because all of them are written anew.
 */
export function inOrder(sizes: Sizes): SizesCode {
  if (Object.values(sizes).some(({ kind }) => kind === 'unknown')) return WORDS_ONLY;
  const minimum = numberOf(sizes.minimum);
  const desired = numberOf(sizes.desired);
  const maximum = numberOf(sizes.maximum);
  const highest = maximum === undefined ? undefined : Math.max(maximum, minimum ?? maximum);
  const right = {
    minimum,
    desired: desired === undefined ? undefined : Math.min(Math.max(desired, minimum ?? desired), highest ?? desired),
    maximum: highest,
  };
  const lines = NAMES.flatMap(([name, inTemplate, inCdk, inTerraform]) => {
    const number = right[name];
    if (number === undefined) return [];
    const size = sizes[name];
    // What is right already stays in the user's words.
    const isKept = size.kind === 'known' && Number(size.value) === number;
    const { yaml, cdk, hcl } = writtenCode(isKept ? size : undefined, String(number), false);
    return [
      { inTemplate: `${inTemplate}: ${yaml}`, inCdk: `${inCdk}: ${cdk},`, inTerraform: `${inTerraform} = ${hcl}` },
    ];
  });
  return {
    inTemplate: ['ScalingConfig:', ...lines.map((line) => `  ${line.inTemplate}`)].join('\n'),
    inCdk: lines.map((line) => line.inCdk).join('\n'),
    inTerraform: ['scaling_config {', ...lines.map((line) => `  ${line.inTerraform}`), '}'].join('\n'),
  };
}

function numberOf(size: Size): number | undefined {
  return size.kind === 'known' ? Number(size.value) : undefined;
}
