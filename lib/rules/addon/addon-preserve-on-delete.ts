// Deleting an add-on deletes its software from the cluster unless it is told to preserve it: without the VPC CNI new pods get no address.
// Source: EKS API, DeleteAddon.
import { defineRule, resourceName, type Fix, type Judgement } from '../../engine';
import {
  alternativesOf,
  hasNoOwnNodes,
  moduleIn,
  type Addon,
  type Cluster,
  type EksModel,
  type Plain,
  type Reference,
  type When,
} from '../../eks';
import { isAddon } from '../../eks/analysis/addon';
import { casesOf } from '../../eks/model/existence';
import { unverifiable } from '../parts/case-judgements';

type MessageId = 'not-set' | 'off';

/** Those that run on nodes alone. */
const OF_NODES: ReadonlySet<string> = new Set(['vpc-cni', 'kube-proxy']);

/** What a cluster can't be without, and what stops when it goes. */
const NETWORK_ADDONS: ReadonlyMap<string, string> = new Map([
  ['vpc-cni', 'new pods get no address, and new nodes never become Ready'],
  ['kube-proxy', 'Services no longer follow their pods, and do not work on new nodes'],
  ['coredns', 'no pod can resolve names any more'],
]);

const preserve = {
  cloudformation: 'PreserveOnDelete: true',
  'aws-cdk': 'preserveOnDelete: true,',
  terraform: 'preserve = true',
} as const;

const fix: Fix = {
  summary: 'Preserve the software when the add-on is deleted.',
  code: preserve,
  safety: 'safe',
  repairs: [{ kind: 'set', field: 'preserveOnDelete', to: true }],
};

export const addonPreserveOnDelete = defineRule<MessageId>({
  id: 'addon-preserve-on-delete',
  subject: 'addon',
  title: 'Deleting a network add-on of a cluster that stays keeps its software',
  severity: 'warning',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    'not-set': {
      text: 'Add-on {{name}} ({{addon}}) of the cluster {{cluster}}, which its {{owner}} does not create, does not say that its software is preserved: when the add-on is deleted or replaced, EKS removes it from the running cluster, and {{effect}}.',
      fix,
    },
    off: {
      text: 'Add-on {{name}} ({{addon}}) of the cluster {{cluster}}, which its {{owner}} does not create, has its software deleted with it: when the add-on is deleted or replaced, {{effect}}.',
      fix,
    },
  },
  *check(model: EksModel) {
    for (const addon of model.addons) {
      if ([...NETWORK_ADDONS.keys()].every((name) => isAddon(addon, name) === 'no')) continue;
      yield* casesOf(addon, { name: addon.name, preserved: addon.preserveOnDelete, cluster: addon.cluster }).flatMap(
        ({ when, values }) => {
          const both = addon.exists.and(when);
          return both === undefined ? [] : judge(model, addon, values.name, values.preserved, values.cluster, both);
        },
      );
    }
  },
});

function judge(
  model: EksModel,
  addon: Addon,
  called: Plain<string>,
  preserved: Plain<boolean>,
  cluster: Plain<Reference<Cluster>>,
  when: When,
): readonly Judgement<MessageId>[] {
  const effect = called.kind === 'known' ? NETWORK_ADDONS.get(called.value) : undefined;
  const common = { resource: addon, source: preserved.source, when };
  if (called.kind === 'absent' || (called.kind === 'known' && effect === undefined)) return [];
  if (
    called.kind === 'known' &&
    OF_NODES.has(called.value) &&
    hasNoOwnNodes(model.viewOf(addon), model, addon.exists.and(when) ?? when)
  )
    return [];
  const home = clusterOf(model, addon, cluster);
  if (home === 'same-stack') return [];
  if (preserved.kind === 'known' && preserved.value) return [{ ...common, verdict: 'pass' }];
  if (home === 'unknown')
    return [{ ...common, ...unverifiable('it is not known whether its cluster is the one of the same stack') }];
  if (called.kind === 'unknown')
    return [{ ...common, verdict: 'unverifiable', reason: 'the name of the add-on is not known' }];
  if (preserved.kind === 'unknown')
    return [
      { ...common, verdict: 'unverifiable', reason: `whether it is preserved is not known (${preserved.reason})` },
    ];
  const data = {
    name: resourceName(addon),
    addon: called.value,
    cluster: nameOf(model, addon, cluster),
    owner: ownerOf(model, addon, cluster),
    effect: effect ?? '',
  };
  return [{ ...common, verdict: 'fail', message: preserved.kind === 'absent' ? 'not-set' : 'off', data }];
}

/** Where the add-on's cluster is created. A nested stack goes with its parent and counts as the same. */
function clusterOf(
  model: EksModel,
  addon: Addon,
  reference: Plain<Reference<Cluster>>,
): 'same-stack' | 'elsewhere' | 'unknown' {
  const own = reference.kind === 'known' ? reference.value.target : undefined;
  // With alternatives the view may know another one's cluster.
  const found =
    own ?? (addon.cluster.kind === 'choice' && reference.kind === 'known' ? undefined : model.viewOf(addon).cluster);
  if (found !== undefined) return found.stack === addon.stack ? 'same-stack' : 'elsewhere';
  if (reference.kind === 'known') return 'elsewhere';
  // What another module of the same stack hands out is hardly a cluster of another one.
  if (reference.kind === 'unknown' && moduleIn(reference.text ?? '') !== undefined) return 'unknown';
  return model.clusters.some(({ stack }) => stack === addon.stack) ? 'unknown' : 'elsewhere';
}

/** What surely doesn't create the cluster. A template or module that isn't seen to be deployed by itself may be part of a stack that does. */
function ownerOf(model: EksModel, addon: Addon, reference: Plain<Reference<Cluster>>): 'stack' | 'template' | 'module' {
  const target = reference.kind === 'known' ? reference.value.target : undefined;
  if ((target ?? model.viewOf(addon).cluster) !== undefined) return 'stack';
  return addon.dialect.unit;
}

function nameOf(model: EksModel, addon: Addon, reference: Plain<Reference<Cluster>>): string {
  const target =
    reference.kind === 'known' ? (reference.value.target ?? model.viewOf(addon).cluster) : model.viewOf(addon).cluster;
  if (target !== undefined && alternativesOf(addon.cluster).length === 1) return resourceName(target);
  const text =
    reference.kind === 'known' ? reference.value.text : reference.kind === 'unknown' ? reference.text : undefined;
  // A function whose argument isn't known has no name either.
  return text === undefined || text === '' || text.startsWith('${Fn::') ? 'that it names' : text;
}
