import { always, choose, type When } from '../../value';
import type { TerraformMap, TerraformValue } from '../terraform-value';
import { isFormula, outcomesOf } from './conditions';
import { canBe } from './equality';

export interface OwnEntry {
  readonly value: TerraformValue;
  /** That no entry of which the key isn't known has this key. */
  readonly unless?: When;
}

/** An entry of a map as it is where its key is not one of those that aren't known. */
export function ownEntry({ unsure }: TerraformMap, key: string, value: TerraformValue): OwnEntry {
  if (value.kind !== 'choice') return { value };
  const tests = unsure.flatMap((entry) => (canBe(entry.key, key) ? (isFormula(entry.key, key) ?? []) : []));
  const others = tests
    .map((test) => outcomesOf(test)?.no)
    .flatMap((no) => (no === undefined || no === 'always' ? [] : no));
  const unless = others.reduce<When | undefined>((all, one) => all?.and(one), always);
  if (unless === undefined || others.length === 0) return { value };
  const left = value.alternatives.filter(({ when }) => when.and(unless) !== undefined);
  const [only] = left;
  return { value: only === undefined ? value : left.length === 1 ? only.value : choose(left), unless };
}
