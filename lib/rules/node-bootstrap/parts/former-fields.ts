import type { KarpenterProblem as Problem, RenamedMessage } from './karpenter-problem';

/* What the versions before v1 had in NodePools and EC2NodeClasses, and what it is now. Source: Karpenter, upgrading/v1-migration.md. */

/** What became of fields that people bring along from the versions before v1. */
export const MOVED: Readonly<Record<string, Pick<Problem, 'problem' | 'advice' | 'code' | 'becomes'>>> = {
  'disruption.expireAfter': {
    problem: 'sets `disruption.expireAfter`, which v1 has moved to `template.spec`',
    advice: 'Move it to `spec.template.spec.expireAfter`.',
    code: 'template:\n  spec:\n    expireAfter: 720h',
    becomes: 'template.spec.expireAfter',
  },
  ttlSecondsAfterEmpty: {
    problem: 'sets `ttlSecondsAfterEmpty`, which was of the Provisioner',
    advice: 'Say it in `spec.disruption`, with `consolidationPolicy: WhenEmpty` and `consolidateAfter`.',
    code: 'disruption:\n  consolidationPolicy: WhenEmpty\n  consolidateAfter: 30s',
  },
  'kubelet.containerRuntime': {
    problem: 'sets `kubelet.containerRuntime`, which no version of v1 has: all nodes of Karpenter run containerd',
    advice: 'Take `containerRuntime` out.',
    code: '',
    becomes: '',
  },
  ttlSecondsUntilExpired: {
    problem: 'sets `ttlSecondsUntilExpired`, which was of the Provisioner',
    advice: 'Say it in `spec.template.spec.expireAfter`.',
    code: 'template:\n  spec:\n    expireAfter: 720h',
  },
};

/** By path, what values are called in v1 that versions before it had, or that name an API by its version. */
const RENAMED: Readonly<
  Record<string, { readonly message: RenamedMessage; readonly from: RegExp; readonly to: string } | undefined>
> = {
  'disruption.consolidationPolicy': {
    message: 'renamedPolicy',
    from: /^WhenUnderutilized$/,
    to: 'WhenEmptyOrUnderutilized',
  },
  'template.spec.nodeClassRef.group': { message: 'renamedGroup', from: /^([a-z][a-z\d.]*)\/v\d\w*$/, to: '$1' },
};

/** What a value at a path is called in v1, where nothing else can be meant. */
export function renamedAt(path: string, value: string): Problem['renamed'] {
  const known = Object.hasOwn(RENAMED, path) ? RENAMED[path] : undefined;
  return known?.from.test(value) === true
    ? { message: known.message, to: value.replace(known.from, known.to) }
    : undefined;
}
