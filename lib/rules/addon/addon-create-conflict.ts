// EKS gives a new cluster its own copy of the network add-ons; an add-on that is then created with other settings meets that copy, and
// with PRESERVE or NONE the creation may stop. Source: EKS API, CreateAddon.
import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  cases,
  type Addon,
  type AddonConfiguration,
  type Cluster,
  type EksModel,
  type Plain,
  type When,
} from '../../eks';
import { isAddon, isEmptyConfiguration } from '../../eks/analysis/addon';
import { Unknown } from '../../value';

type MessageId = 'conflict';

/** What EKS installs by itself in a new cluster. */
const BOOTSTRAPPED = ['vpc-cni', 'kube-proxy', 'coredns'];

export const addonCreateConflict = defineRule<MessageId>({
  id: 'addon-create-conflict',
  subject: 'addon',
  title: 'A configured network add-on of a new cluster meets no self-managed copy',
  severity: 'info',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    conflict: {
      text: 'Add-on {{name}} ({{addon}}) {{mode}} and has configuration values, while cluster {{cluster}} starts with a self-managed copy of it: where they differ, the creation of the add-on can stop with "ConfigurationConflict".',
      fix: {
        summary:
          'In a cluster that does not exist yet, set `bootstrapSelfManagedAddons` to false and declare kube-proxy and CoreDNS as add-ons too (a change replaces the cluster); else create the add-on once with `OVERWRITE`.',
        code: {
          terraform: 'resolve_conflicts_on_create = "OVERWRITE"\nresolve_conflicts_on_update = "PRESERVE"',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const addon of model.addons) {
      const called = BOOTSTRAPPED.find((name) => isAddon(addon, name) === 'yes');
      const { cluster } = model.viewOf(addon);
      if (
        called === undefined ||
        cluster === undefined ||
        addon.planned?.action === 'update' ||
        addon.planned?.action === 'none'
      )
        continue;
      const exists = addon.exists.and(cluster.exists);
      if (exists === undefined) continue;
      const values = {
        mode: addon.resolveConflictsOnCreate,
        configuration: addon.configuration,
        bootstrap: cluster.bootstrapSelfManagedAddons,
        autoMode: cluster.autoMode,
      };
      yield* cases(values).flatMap(({ when, values: plain }) => {
        const both = exists.and(when);
        return both === undefined ? [] : judge(addon, called, cluster, plain, both);
      });
    }
  },
});

interface Facts {
  readonly mode: Plain<string>;
  readonly configuration: Plain<AddonConfiguration>;
  readonly bootstrap: Plain<boolean>;
  readonly autoMode: Plain<boolean>;
}

function judge(
  addon: Addon,
  called: string,
  cluster: Cluster,
  { mode, configuration, bootstrap, autoMode }: Facts,
  when: When,
): readonly Judgement<MessageId>[] {
  const values = hasValues(configuration);
  const copies = hasCopies(bootstrap, autoMode);
  if (values === 'no' || copies === 'no') return [];
  const common = { resource: addon, source: mode.source, when };
  // Other modes are refused by the API; that is for the rule about the mode to say.
  if (mode.kind === 'known' && mode.value !== 'PRESERVE' && mode.value !== 'NONE')
    return [{ ...common, verdict: 'pass' }];
  const doubts = [
    ...(mode.kind === 'unknown' ? [`the conflict mode is not known (${mode.reason})`] : []),
    ...(values === 'maybe' ? ['its configuration values are not known'] : []),
    ...(copies === 'maybe'
      ? [`whether cluster ${resourceName(cluster)} starts with self-managed copies is not known`]
      : []),
  ];
  if (doubts.length > 0) return [{ ...common, verdict: 'unverifiable', reason: doubts.join('; ') }];
  return [
    {
      ...common,
      verdict: 'fail',
      message: 'conflict',
      data: {
        name: resourceName(addon),
        addon: called,
        cluster: resourceName(cluster),
        mode: mode.kind === 'known' ? `is created with ${mode.value}` : 'sets no conflict mode',
      },
      related: [
        {
          message: `${resourceName(cluster)} ${bootstrap.kind === 'known' ? 'asks for' : 'does not turn off'} the self-managed add-ons`,
          source: bootstrap.source,
        },
      ],
    },
  ];
}

function hasValues(configuration: Plain<AddonConfiguration>): 'yes' | 'no' | 'maybe' {
  if (configuration.kind === 'absent') return 'no';
  if (configuration.kind === 'unknown') return 'maybe';
  // What can't be parsed is refused before anything is created.
  if (configuration.value.kind === 'malformed') return 'no';
  const { data } = configuration.value;
  if (data instanceof Unknown) return 'maybe';
  return isEmptyConfiguration(data) ? 'no' : 'yes';
}

function hasCopies(bootstrap: Plain<boolean>, autoMode: Plain<boolean>): 'yes' | 'no' | 'maybe' {
  if (bootstrap.kind === 'known') return bootstrap.value ? 'yes' : 'no';
  if (autoMode.kind === 'known' && autoMode.value) return 'no';
  return bootstrap.kind === 'unknown' || autoMode.kind === 'unknown' ? 'maybe' : 'yes';
}
