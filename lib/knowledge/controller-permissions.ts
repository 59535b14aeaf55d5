import { lazyTable, type Table } from './table';
import { compareVersions } from './versions';

/** Actions that the AWS Load Balancer Controller can't do without, by what it does. */
export interface NeededActions {
  /** For every load balancer that it makes. */
  readonly loadBalancer: readonly string[];
  /** For load balancers whose security groups nobody names. */
  readonly ownSecurityGroups: readonly string[];
  /** For the targets of load balancers that others have made. */
  readonly targets: readonly string[];
  /** For every listener for TCP, which Network Load Balancers have. */
  readonly tcpListeners: readonly string[];
  /** For every Application Load Balancer, with a web ACL or without. */
  readonly webAcls: readonly string[];
}

/** What the AWS Load Balancer Controller does only where an object asks for it. */
export interface LoadBalancerFeature {
  /** For people: `mutual TLS`. */
  readonly name: string;
  readonly actions: readonly string[];
  /** Ends of the annotations of an Ingress or a Service that ask for it; none if nothing does. */
  readonly annotations: readonly string[];
  /** Fields of the controller's own objects that do. */
  readonly fields: readonly string[];
  /** Before that version it is part of what is done for every Ingress. @default - it never was */
  readonly since?: string;
}

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
  /** Those that the controller calls whatever features are used. */
  readonly needed: NeededActions;
  /** Versions from which on some of them are, by action. */
  readonly neededSince: Readonly<Record<string, string>>;
  readonly features: readonly LoadBalancerFeature[];
  readonly notInIsoPartitions: readonly string[];
  readonly charts: Readonly<Record<string, string>>;
  /** Oldest first. */
  readonly minimums: readonly { readonly kubernetes: string; readonly version: string }[];
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
  readonly charts: Readonly<Record<string, string>>;
}

interface ControllerPermissionTable extends Table {
  readonly loadBalancerController: LoadBalancerControllerPermissions;
  readonly externalDns: ExternalDnsPermissions;
  readonly clusterAutoscaler: { readonly charts: Readonly<Record<string, string>> };
}

const load = lazyTable('controller-permissions.json', (table: ControllerPermissionTable) => ({ controllers: table }));

/** Charts of which the table knows what version they install. */
export type ControllerChart = 'aws-load-balancer-controller' | 'external-dns' | 'cluster-autoscaler';

/** The version of the software that a version of its chart installs; undefined if the table doesn't know it. */
export function versionOfChart(chart: ControllerChart, version: string): string | undefined {
  const charts = chartsOf(chart);
  return Object.hasOwn(charts, version) ? charts[version] : undefined;
}

function chartsOf(chart: ControllerChart): Readonly<Record<string, string>> {
  const { loadBalancerController, externalDns, clusterAutoscaler } = load().controllers;
  return {
    'aws-load-balancer-controller': loadBalancerController,
    'external-dns': externalDns,
    'cluster-autoscaler': clusterAutoscaler,
  }[chart].charts;
}

/** The newest chart that installs the Cluster Autoscaler of a Kubernetes version (`1.33`); undefined if the table has none. */
export function clusterAutoscalerChart(minor: string): string | undefined {
  return Object.entries(load().controllers.clusterAutoscaler.charts).findLast(([, version]) =>
    version.startsWith(`${minor}.`),
  )?.[0];
}

/** The newest version of a chart that installs a version of the software; undefined if the table knows of none. */
export function chartOfVersion(chart: ControllerChart, version: string): string | undefined {
  const charts = chartsOf(chart);
  return Object.keys(charts)
    .filter((one) => charts[one] === version)
    .sort(compareVersions)
    .at(-1);
}

/** The actions that a version of the AWS Load Balancer Controller calls; undefined for versions that the table doesn't reach. */
export function loadBalancerControllerActions(
  version: string,
): { readonly all: readonly string[]; readonly needed: NeededActions } | undefined {
  const { base, baseVersion, additions, latestTagChecked, needed, neededSince } =
    load().controllers.loadBalancerController;
  if (compareVersions(version, baseVersion) < 0 || compareVersions(version, latestTagChecked) > 0) return undefined;
  const all = [...base, ...additions.flatMap(({ since, add }) => (compareVersions(version, since) >= 0 ? add : []))];
  const features = loadBalancerFeatures(version);
  const ofVersion = (actions: readonly string[]): readonly string[] =>
    actions.filter(
      (action) => all.includes(action) && compareVersions(version, neededSince[action] ?? baseVersion) >= 0,
    );
  return {
    all,
    needed: {
      loadBalancer: ofVersion(needed.loadBalancer),
      ownSecurityGroups: ofVersion(needed.ownSecurityGroups),
      targets: ofVersion(needed.targets),
      tcpListeners: needed.tcpListeners.filter((action) => all.includes(action)),
      webAcls: needed.webAcls.filter((action) => !features.some(({ actions }) => actions.includes(action))),
    },
  };
}

/** The oldest and the newest version of the AWS Load Balancer Controller that {@link loadBalancerControllerActions} knows. */
export function loadBalancerControllerVersions(): { readonly oldest: string; readonly newest: string } {
  const { baseVersion, latestTagChecked } = load().controllers.loadBalancerController;
  return { oldest: baseVersion, newest: latestTagChecked };
}

/** What a version of the AWS Load Balancer Controller does only where an object asks for it. */
export function loadBalancerFeatures(version: string): readonly LoadBalancerFeature[] {
  return load().controllers.loadBalancerController.features.filter(
    ({ since = version }) => compareVersions(version, since) >= 0,
  );
}

/** The actions that the isolated partitions of AWS don't have. */
export function notInIsoPartitions(): readonly string[] {
  return load().controllers.loadBalancerController.notInIsoPartitions;
}

/** The oldest version of the AWS Load Balancer Controller that works on a Kubernetes version; undefined if any does. */
export function leastLoadBalancerController(kubernetes: string): string | undefined {
  return load().controllers.loadBalancerController.minimums.findLast(
    (one) => compareVersions(kubernetes, one.kubernetes) >= 0,
  )?.version;
}

/** The newest chart of the AWS Load Balancer Controller within a major version of the controller. */
export function newestLoadBalancerControllerChart(
  major: number,
): { readonly chart: string; readonly version: string } | undefined {
  const found = Object.entries(load().controllers.loadBalancerController.charts)
    .filter(([, version]) => version.startsWith(`${major}.`))
    .reduce<readonly [string, string] | undefined>(
      (best, one) => (best === undefined || compareVersions(one[0], best[0]) > 0 ? one : best),
      undefined,
    );
  return found === undefined ? undefined : { chart: found[0], version: found[1] };
}

/** The actions of ExternalDNS: on zones, on everything, and on zones where it chooses them by tag. */
export function externalDnsActions(version: string | undefined): {
  readonly onHostedZones: readonly string[];
  readonly onStar: readonly string[];
  /** Undefined if that depends on the version, which isn't known. */
  readonly withTagFilter: string | undefined;
} {
  const { onHostedZones, onHostedZonesIfTagFilter, onStar } = load().controllers.externalDns;
  const tagAction =
    version === undefined
      ? undefined
      : onHostedZonesIfTagFilter.find(
          ({ from, to }) => compareVersions(version, from) >= 0 && (to === null || compareVersions(version, to) <= 0),
        )?.action;
  return { onHostedZones, onStar, withTagFilter: tagAction };
}

/** With what the versions of ExternalDNS ask for the tags of hosted zones. */
export function externalDnsTagActions(): readonly string[] {
  return load().controllers.externalDns.onHostedZonesIfTagFilter.map(({ action }) => action);
}
