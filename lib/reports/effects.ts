import type { AddonEffect, EffectTime } from '../knowledge';

/** When a change of a setting of an add-on begins to act, in words. */
export const EFFECT_TIMES: Readonly<Record<EffectTime, string>> = {
  restart: 'at once, when aws-node restarts',
  'new-pod': 'with the next new pod',
  'new-node': 'with the next new node',
};

/** When it acts, and what then happens. */
export function effectText(effect: AddonEffect | undefined): string {
  if (effect === undefined) return 'acts: no source says when';
  const scope = effect.scope === undefined ? '' : `, ${effect.scope}`;
  return `acts ${EFFECT_TIMES[effect.when]}${scope}${effect.effect === undefined ? '' : `: ${effect.effect}`}`;
}
