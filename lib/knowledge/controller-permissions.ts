import { lazyTable, type Table } from './table';

/** Actions of the AWS Load Balancer Controller's published policy, by controller version. */
interface LoadBalancerControllerPermissions {
  readonly serviceAccount: { readonly namespace: string; readonly name: string };
  readonly latestTagChecked: string;
  readonly baseVersion: string;
  /** The actions of `baseVersion`. */
  readonly base: readonly string[];
  /** Oldest first. */
  readonly additions: readonly { readonly since: string; readonly add: readonly string[] }[];
  readonly statementChanges: readonly { readonly since: string; readonly change: string }[];
  readonly notInIsoPartitions: readonly string[];
  /** Settings with which the controller doesn't ask the instance metadata service. */
  readonly imdsFreeFlags: { readonly region: string; readonly vpc: string };
}

/** Actions of ExternalDNS. */
interface ExternalDnsPermissions {
  readonly onHostedZones: readonly string[];
  /** Needed with a zone tag filter; `to` null: to this day. */
  readonly onHostedZonesIfTagFilter: readonly {
    readonly from: string;
    readonly to: string | null;
    readonly action: string;
  }[];
  /** Can't be narrowed to a zone. */
  readonly onStar: readonly string[];
  readonly hostedZoneArn: string;
}

interface ControllerPermissionTable extends Table {
  readonly loadBalancerController: LoadBalancerControllerPermissions;
  readonly externalDns: ExternalDnsPermissions;
}

const load = lazyTable('controller-permissions.json', (table: ControllerPermissionTable) => ({ controllers: table }));

/** @planned for a rule about the policy of the controller's role */
export function loadBalancerControllerPermissions(): LoadBalancerControllerPermissions {
  return load().controllers.loadBalancerController;
}

/** @planned for a rule about the policy of ExternalDNS's role */
export function externalDnsPermissions(): ExternalDnsPermissions {
  return load().controllers.externalDns;
}
