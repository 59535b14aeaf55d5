import type { IConstruct } from 'constructs';
import { BootstrapScriptError } from '../../lib/eks/user-data/bootstrap-script';
import { renderWindowsBootstrap, renderWindowsScripts } from '../../lib/eks/user-data/windows';
import { refuse } from './construction-error';
import { clusterCoordinates, dnsAddress, kubeletTaints, optional } from './node-bootstrap';
import type { UserDataInput } from './user-data-input';

/**
 * User data of Windows: one `<powershell>` block with the user's scripts and, for an own AMI, the call of the bootstrap behind
 * them. Without an own AMI EKS puts its call behind the user's.
 */
export function windowsUserData(scope: IConstruct, input: UserDataInput): string | undefined {
  const { customAmi, windowsBootstrap } = input.options;
  if (customAmi !== undefined) return guarded(scope, () => bootstrap(scope, input));
  const cidrs = windowsBootstrap?.excludedSnatCidrs ?? [];
  // The networking plugin reads the variable of the machine when EKS passes no ranges.
  const variable =
    cidrs.length === 0
      ? []
      : [`[Environment]::SetEnvironmentVariable("EXCLUDED_SNAT_CIDRS", "${cidrs.join(',')}", "Machine")`];
  const scripts = [...variable, ...(windowsBootstrap?.scripts ?? [])];
  return scripts.length === 0 ? undefined : guarded(scope, () => renderWindowsScripts({ scripts }));
}

function bootstrap(scope: IConstruct, input: UserDataInput): string {
  const {
    options,
    maxPods,
    engine: { tokens },
  } = input;
  const cluster = clusterCoordinates(scope, input);
  const own = options.windowsBootstrap;
  return renderWindowsBootstrap({
    clusterName: cluster.name,
    apiServerEndpoint: cluster.apiServerEndpoint,
    certificateAuthority: cluster.certificateAuthority,
    serviceCidr: cluster.cidr,
    dnsClusterIp: dnsAddress(cluster, input),
    scripts: own?.scripts ?? [],
    excludedSnatCidrs: own?.excludedSnatCidrs ?? [],
    ...optional('labels', options.labels),
    taints: kubeletTaints(options.taints),
    kubeletArguments: [
      ...(maxPods === undefined ? [] : [`--max-pods=${tokens.numberText(maxPods)}`]),
      ...(own?.kubeletExtraArgs ?? []),
    ],
    isOpaque: (value) => tokens.isToken(value),
  });
}

function guarded(scope: IConstruct, render: () => string): string {
  try {
    return render();
  } catch (error) {
    if (error instanceof BootstrapScriptError) return refuse(scope, `${error.option}: ${error.message}`);
    throw error;
  }
}
