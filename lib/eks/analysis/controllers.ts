import { isText } from './addon';
import { ROLE_ANNOTATION } from './annotated-accounts';
import { chartNameOf, nameByChart } from './chart-accounts';
import { argumentsOfChart, argumentsOfContainer, type ControllerArguments } from './controller-arguments';
import { deliveredCharts } from './delivered-charts';
import { isStandIn, objectsOf } from './kubernetes-objects';
import { roleUsesOf, type RoleUse } from './role-uses';
import { resourceName, roleName } from '../model/resource-name';
import { podTemplateOf } from './workloads';
import { versionOfChart, type ControllerChart } from '../../knowledge';
import { clusterOfTrust, namesServiceAccount, webIdentitiesOf, type ServiceAccount } from './identity';
import type { ClusterView, EksModel } from '../model/model';
import type { Addon, HelmRelease, KubernetesManifest, Role } from '../model/resources';
import {
  alternativesOf,
  dataAt,
  flatMapValue,
  isDataMap,
  Known,
  Unknown,
  type Data,
  type Plain,
  type Source,
  type Value,
  type When,
} from '../../value';

/** Software that manages AWS resources for a cluster, or nodes, by whatever installs it: a chart, a manifest, an add-on. */
export interface Controller extends ControllerArguments {
  readonly software: ControllerChart;
  readonly resource: HelmRelease | KubernetesManifest | Addon;
  /** For people: `AWS Load Balancer Controller`. */
  readonly name: string;
  /** `2.13.0`; unknown where nothing tells it. */
  readonly version: Value<string>;
  /** As what its pods run; undefined if that isn't known. */
  readonly account: ServiceAccount | undefined;
  /** Values of its chart or add-on; undefined for a manifest of its own. */
  readonly values: Data | undefined;
}

const NAMES: Readonly<Record<ControllerChart, string>> = {
  'aws-load-balancer-controller': 'AWS Load Balancer Controller',
  'external-dns': 'ExternalDNS',
  'cluster-autoscaler': 'Cluster Autoscaler',
};

/** The controllers of a cluster that the input shows; worked out once. */
export function controllersOf(view: ClusterView): readonly Controller[] {
  let controllers = known.get(view);
  if (controllers === undefined)
    known.set(
      view,
      (controllers = [
        ...view.helmReleases.flatMap(ofRelease),
        ...objectsOf(view).flatMap(({ resource, object, namespace }) =>
          resource.kind === 'manifest'
            ? [
                ...ofManifest(resource, object, isStandIn(namespace) ? undefined : namespace),
                ...ofDelivered(resource, object),
              ]
            : [],
        ),
        ...view.addons.flatMap(ofAddon),
      ]),
    );
  return controllers;
}

const known = new WeakMap<ClusterView, readonly Controller[]>();

function isSoftware(name: string | undefined): name is ControllerChart {
  return name !== undefined && Object.hasOwn(NAMES, name);
}

function ofRelease(release: HelmRelease): readonly Controller[] {
  const { chart, values } = release;
  const software = chart.kind === 'known' ? chartNameOf(chart.value) : undefined;
  if (!isSoftware(software)) return [];
  return [
    {
      software,
      resource: release,
      name: NAMES[software],
      version: versionOfRelease(software, release),
      account: accountOfRelease(release),
      values,
      ...argumentsOfChart(software, values),
    },
  ];
}

/** Text such as `v2.13.0`, also with more behind it, as images of other makers have. */
function plainVersion(text: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+)(?![\d.])/.exec(text)?.[1];
}

/** The version of a chart that is installed without one. */
export class NewestVersion extends Unknown {
  constructor(source: Source) {
    super('no version of its chart is written, so that the newest one is installed', source);
  }
}

/** What of a release tells which software it installs, whoever installs it. */
type Release = Pick<HelmRelease, 'chart' | 'release' | 'namespace' | 'version' | 'values' | 'source'>;

/** Charts that Flux or Argo CD installs. */
function ofDelivered(resource: KubernetesManifest, object: Data): readonly Controller[] {
  const { source } = resource;
  return deliveredCharts(object, source).flatMap((one): readonly Controller[] => {
    const software = chartNameOf(one.chart);
    if (!isSoftware(software)) return [];
    const textOrUnknown = (text: string | undefined, what: string): Plain<string> =>
      text === undefined ? new Unknown(`the ${what} of its chart is not known`, source) : new Known(text, source);
    const release: Release = {
      chart: new Known(one.chart, source),
      release: textOrUnknown(one.release, 'release'),
      namespace: textOrUnknown(one.namespace, 'namespace'),
      version: one.version,
      values: one.values,
      source,
    };
    return [
      {
        software,
        resource,
        name: NAMES[software],
        version: versionOfRelease(software, release),
        account: accountOfRelease(release),
        values: one.values,
        ...argumentsOfChart(software, one.values),
      },
    ];
  });
}

function versionOfRelease(software: ControllerChart, { version, values, source }: Release): Value<string> {
  const tag = dataAt(values, 'image', 'tag');
  if (tag instanceof Unknown) return new Unknown(`the tag of its image is not known (${tag.reason})`, source);
  if (typeof tag === 'string' && tag !== '') {
    const own = plainVersion(tag);
    return own === undefined
      ? new Unknown(`the tag of its image, ${tag}, names no version`, source)
      : new Known(own, source, `image tag ${tag}`);
  }
  return flatMapValue(version, (plain): Plain<string> => {
    if (plain.kind === 'unknown')
      return new Unknown(`the version of its chart is not known (${plain.reason})`, plain.source);
    if (plain.kind === 'absent') return new NewestVersion(plain.source);
    const found = versionOfChart(software, plain.value);
    return found === undefined
      ? new Unknown(`which version chart ${plain.value} installs is not known`, plain.source)
      : new Known(found, plain.source, `chart ${plain.value}`);
  });
}

function accountOfRelease({ chart, release, namespace, values }: Release): ServiceAccount | undefined {
  const [place, ...others] = namespace.kind === 'absent' ? ['default'] : textsOf(namespace);
  if (place === undefined || others.length > 0 || values instanceof Unknown) return undefined;
  const written = dataAt(values, 'serviceAccount', 'name');
  if (written instanceof Unknown) return undefined;
  if (typeof written === 'string' && written !== '') return { namespace: place, name: written };
  const create = dataAt(values, 'serviceAccount', 'create');
  if (create instanceof Unknown || chart.kind === 'choice' || release.kind === 'choice') return undefined;
  const name = nameByChart(chart, release, ['serviceAccount'], values);
  if (name === undefined) return undefined;
  // Who creates none runs as that of the namespace. Source: the _helpers.tpl that `helm create` writes, and charts with one of their own have.
  return { namespace: place, name: create === false ? 'default' : name };
}

const IMAGE =
  /(?:^|\/)(aws-load-balancer-controller|external-dns|cluster-autoscaler)(?:-(?:amd64|arm64))?(?::([^@]+))?(?:@.*)?$/;

function ofManifest(resource: KubernetesManifest, object: Data, namespace: string | undefined): readonly Controller[] {
  const template = podTemplateOf(object);
  const containers = dataAt(template?.spec, 'containers');
  if (template?.kind !== 'Deployment' || !Array.isArray(containers)) return [];
  return (containers as readonly Data[]).flatMap((container): readonly Controller[] => {
    const image = dataAt(container, 'image');
    const text = image instanceof Unknown ? image.text : image;
    const [, software, tag = ''] = typeof text === 'string' ? (IMAGE.exec(text) ?? []) : [];
    if (!isSoftware(software)) return [];
    const version = plainVersion(tag);
    const account = dataAt(template.spec, 'serviceAccountName') || dataAt(template.spec, 'serviceAccount') || 'default';
    return [
      {
        software,
        resource,
        name: NAMES[software],
        version:
          version === undefined
            ? new Unknown('its image names no version', resource.source)
            : new Known(version, resource.source, `image ${typeof text === 'string' ? text : tag}`),
        account: namespace === undefined || typeof account !== 'string' ? undefined : { namespace, name: account },
        values: undefined,
        ...argumentsOfContainer(software, container),
      },
    ];
  });
}

function ofAddon(addon: Addon): readonly Controller[] {
  if (isText(addon.name, 'external-dns') !== 'yes') return [];
  const { configuration, source } = addon;
  const values =
    configuration.kind === 'known' && configuration.value.kind === 'parsed'
      ? configuration.value.data
      : configuration.kind === 'absent'
        ? {}
        : new Unknown('its configuration values are not known', source);
  const name = dataAt(values, 'serviceAccount', 'name') ?? 'external-dns';
  return [
    {
      software: 'external-dns',
      resource: addon,
      name: NAMES['external-dns'],
      version: flatMapValue(addon.version, (plain): Plain<string> => {
        const found = plain.kind === 'known' ? plainVersion(plain.value) : undefined;
        return found === undefined
          ? new Unknown('the version of the add-on is not known', plain.source)
          : new Known(found, plain.source, 'add-on version');
      }),
      account:
        typeof name === 'string' && addon.namespace.kind === 'absent' ? { namespace: 'external-dns', name } : undefined,
      values,
      ...argumentsOfChart('external-dns', values),
    },
  ];
}

/** A role with which a controller calls AWS. */
interface ControllerRole {
  /** Undefined if the input doesn't hold it. */
  readonly role: Role | undefined;
  /** Why the role isn't known. */
  readonly doubt: string;
  readonly source: Source;
  readonly when: When;
}

/** The roles of a controller, by Pod Identity, by its service account or as its add-on says; empty if the input shows none. */
export function rolesOfController(
  controller: Controller,
  view: ClusterView,
  model: EksModel,
): readonly ControllerRole[] {
  const { resource, account } = controller;
  const uses = usesOf(model);
  const found = [
    ...(account === undefined ? [] : byAssociation(account, view)),
    ...(resource.kind === 'addon' ? ofAddonItself(resource) : []),
    ...(uses.byUser.get(resource) ?? []),
    ...(account === undefined ? [] : (uses.byAccount.get(view)?.get(keyOf(account)) ?? [])),
  ].flatMap((use) => {
    const when = use.when.and(resource.exists);
    return when === undefined ? [] : [{ role: use.role, doubt: use.doubt, source: use.source, when }];
  });
  if (found.length > 0 || account === undefined) return found;
  const annotated = byAnnotation(account, controller, view, model);
  return annotated.length > 0 ? annotated : byTrust(account, controller, view, model);
}

/** What the service account itself says where that is no reference to a role of the input: it decides, whatever roles trust the account. */
function byAnnotation(
  account: ServiceAccount,
  { resource, values }: Controller,
  view: ClusterView,
  model: EksModel,
): readonly ControllerRole[] {
  const settings = dataAt(values, 'serviceAccount');
  const ofChart =
    dataAt(settings, 'create') === false
      ? []
      : [{ holder: settings, source: resource.source, exists: resource.exists }];
  const objects = objectsOf(view).flatMap(({ object, name, namespace, resource: { source, exists } }) =>
    dataAt(object, 'kind') === 'ServiceAccount' && name === account.name && namespace === account.namespace
      ? [{ holder: dataAt(object, 'metadata'), source, exists }]
      : [],
  );
  return [...ofChart, ...objects].flatMap(({ holder, source, exists }): readonly ControllerRole[] => {
    const annotation = dataAt(holder, 'annotations', ROLE_ANNOTATION);
    const when = exists.and(resource.exists);
    const isUnknown = annotation instanceof Unknown;
    if (when === undefined || (!isUnknown && (typeof annotation !== 'string' || annotation === ''))) return [];
    const text = isUnknown ? (annotation.text ?? '') : annotation;
    const name = roleName(text);
    const [role, ...others] = model.roles.filter((one) => name !== undefined && isText(one.name, name) === 'yes');
    const doubt = isUnknown ? `its role is not known (${annotation.reason})` : `role ${text} is not part of the input`;
    return [{ role: others.length === 0 ? role : undefined, doubt, source, when }];
  });
}

/** Who creates the service account may be elsewhere: a role whose trust policy names it, for this cluster or one that isn't known, is meant for it. */
function byTrust(
  account: ServiceAccount,
  controller: Controller,
  view: ClusterView,
  model: EksModel,
): readonly ControllerRole[] {
  const { resource } = controller;
  return model.roles.flatMap((role): readonly ControllerRole[] => {
    const when = role.exists.and(resource.exists);
    const isMeant = webIdentitiesOf(role).some(({ statement }) => {
      if (!namesServiceAccount(statement, account)) return false;
      const cluster = clusterOfTrust(statement);
      return cluster === undefined ? model.clusterViews.length === 1 : cluster === view.cluster;
    });
    if (!isMeant || when === undefined) return [];
    const { source } = role;
    if (!makesOwnAccount(controller)) return [{ role, doubt: '', source, when }];
    const doubt = `role ${resourceName(role)} trusts its service account, and ${resourceName(resource)} makes that without the annotation for a role`;
    return [{ role: undefined, doubt, source, when }];
  });
}

/** Whether a chart surely makes the service account by its values, which all are known. */
function makesOwnAccount({ resource, values }: Controller): boolean {
  const create = dataAt(values, 'serviceAccount', 'create');
  return resource.kind === 'helm-release' && isDataMap(values) && create !== false && !(create instanceof Unknown);
}

function byAssociation({ namespace, name }: ServiceAccount, view: ClusterView): readonly ControllerRole[] {
  return view.podIdentityAssociations.flatMap((one) =>
    isText(one.namespace, namespace) === 'yes' && isText(one.serviceAccount, name) === 'yes'
      ? rolesIn(one.role, one.source, one.exists)
      : [],
  );
}

function ofAddonItself({ podIdentityAssociations, exists }: Addon): readonly ControllerRole[] {
  return podIdentityAssociations.kind === 'known'
    ? podIdentityAssociations.value.flatMap(({ role, source }) => rolesIn(role, source, exists))
    : [];
}

function rolesIn(reference: Addon['serviceAccountRole'], source: Source, exists: When): readonly ControllerRole[] {
  return alternativesOf(reference).flatMap(({ when, value }): readonly ControllerRole[] => {
    const both = exists.and(when);
    if (both === undefined || value.kind === 'absent') return [];
    const role = value.kind === 'known' ? value.value.target : undefined;
    const doubt =
      value.kind === 'known'
        ? `role ${value.value.text} is not part of the input`
        : `its role is not known (${value.reason})`;
    return [{ role, doubt, source, when: both }];
  });
}

interface Uses {
  readonly byUser: ReadonlyMap<object, readonly RoleUse[]>;
  /** Of ServiceAccount manifests. */
  readonly byAccount: ReadonlyMap<ClusterView, ReadonlyMap<string, readonly RoleUse[]>>;
}

const allUses = new WeakMap<EksModel, Uses>();

function usesOf(model: EksModel): Uses {
  let uses = allUses.get(model);
  if (uses === undefined) {
    const byUser = new Map<object, RoleUse[]>();
    const byAccount = new Map<ClusterView, Map<string, RoleUse[]>>();
    for (const use of roleUsesOf(model)) {
      push(byUser, use.user, use);
      const view = model.findView(use.user);
      if (view === undefined || !('kind' in use.user) || use.user.kind !== 'manifest') continue;
      let ofView = byAccount.get(view);
      if (ofView === undefined) byAccount.set(view, (ofView = new Map<string, RoleUse[]>()));
      for (const account of use.accounts) push(ofView, keyOf(account), use);
    }
    allUses.set(model, (uses = { byUser, byAccount }));
  }
  return uses;
}

function push<K>(map: Map<K, RoleUse[]>, key: K, use: RoleUse): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [use]);
  else list.push(use);
}

function keyOf({ namespace, name }: ServiceAccount): string {
  return `${namespace}/${name}`;
}

/** The possible texts of a value; `undefined` stands for one that isn't known. */
function textsOf(value: Value<string>): readonly (string | undefined)[] {
  return alternativesOf(value).map(({ value: plain }) => (plain.kind === 'known' ? plain.value : undefined));
}
