import type { IConstruct } from 'constructs';
import type { BottlerocketSettingsSpec } from '../../lib/eks/user-data/bottlerocket';
import { labelReservedBy } from '../../lib/eks/user-data/node-labels';
import { bottlerocketProblems, bottlerocketToml, type BottlerocketDocument } from './bottlerocket-settings';
import { refuse } from './construction-error';
import { clusterDetails, dnsAddress, kubeletTaints, optional, refuseIncomplete } from './node-bootstrap';
import type { UserDataInput } from './user-data-input';

/** Settings that EKS writes itself when it does the bootstrap, and what of the node group they come from. */
const EKS_SETTINGS: Readonly<Record<string, string>> = {
  'api-server': 'leave it out, or use customAmi',
  'cluster-certificate': 'leave it out, or use customAmi',
  'cluster-name': 'leave it out, or use customAmi',
  'node-labels': 'use labels',
  'node-taints': 'use taints',
};

/** User data of Bottlerocket: one TOML document with the bootstrap for an own AMI and the user's settings. */
export function bottlerocketUserData(scope: IConstruct, input: UserDataInput): string | undefined {
  const {
    options,
    engine: { tokens },
  } = input;
  const settings = options.bottlerocketSettings;
  if (settings !== undefined) refuseSettings(scope, settings, options.customAmi !== undefined);
  const spec: BottlerocketSettingsSpec = {
    ...(options.customAmi === undefined ? {} : bootstrap(scope, input)),
    ...optional('maxPods', input.maxPods === undefined ? undefined : tokens.plainNumber(input.maxPods)),
    ...optional('settings', settings?.tree),
  };
  if (Object.keys(spec).length === 0) return undefined;
  const problems = bottlerocketProblems(spec, tokens);
  if (problems.length > 0) {
    refuse(
      scope,
      `${settings === undefined ? 'the Bottlerocket settings of this group' : "bottlerocketSettings doesn't go with the other options"}: ${problems.join('; ')}`,
    );
  }
  return bottlerocketToml(spec, tokens);
}

function bootstrap(scope: IConstruct, input: UserDataInput): BottlerocketSettingsSpec {
  const { options, cluster } = input;
  const settings = options.bottlerocketSettings;
  const own = (name: string): unknown => settings?.kubernetes(name);
  const details = clusterDetails(scope, input);
  const given = {
    name: own('cluster-name'),
    apiServerEndpoint: own('api-server'),
    certificateAuthority: own('cluster-certificate'),
    cidr: own('cluster-dns-ip'),
  };
  const extra = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, 'given']])),
  );
  refuseIncomplete(scope, input, { ...details, ...extra }, 'bottlerocketSettings with them');
  const taints = kubeletTaints(options.taints);
  const dnsIp =
    details.cidr === undefined || given.cidr !== undefined
      ? undefined
      : dnsAddress({ cidr: details.cidr, ipFamily: cluster.ipFamily }, input);
  return {
    cluster: {
      ...optional('name', details.name),
      ...optional('apiServer', details.apiServerEndpoint),
      ...optional('certificate', details.certificateAuthority),
      ...optional('dnsIp', dnsIp),
    },
    ...optional('labels', options.labels),
    ...optional('taints', taints.length === 0 ? undefined : taints),
  };
}

function refuseSettings(scope: IConstruct, settings: BottlerocketDocument, hasCustomAmi: boolean): void {
  for (const [name, advice] of hasCustomAmi ? [] : Object.entries(EKS_SETTINGS)) {
    if (settings.kubernetes(name) !== undefined) {
      refuse(
        scope,
        `bottlerocketSettings sets settings.kubernetes.${name} without customAmi; EKS writes that setting itself: ${advice}`,
      );
    }
  }
  const labels = settings.kubernetes('node-labels');
  for (const key of typeof labels === 'object' && labels !== null ? Object.keys(labels) : []) {
    if (labelReservedBy(key) === 'kubelet')
      refuse(
        scope,
        `bottlerocketSettings sets the label "${key}", which kubelet refuses to start with; use node.kubernetes.io/… or a domain of your own`,
      );
  }
}
