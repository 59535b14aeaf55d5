import { dataAt, entriesOf, hasArgument, isDataMap, type ClusterView, type Controller, type Data } from '../../../eks';
import { loadBalancerFeatures, notInIsoPartitions, type LoadBalancerFeature } from '../../../knowledge';

/** Features that are switched off, by the setting of the chart and the argument of the controller, with the services that only they call. */
const SWITCHES: readonly (readonly [setting: string, argument: string, services: RegExp])[] = [
  ['enableShield', 'enable-shield', /^shield:/],
  ['enableWaf', 'enable-waf', /^waf-regional:/],
  ['enableWafv2', 'enable-wafv2', /^wafv2:/],
];

/** Which actions the AWS Load Balancer Controller can't need: those of features that are switched off, and those that its partition lacks. */
export function unneededBy(controller: Controller): (action: string) => boolean {
  const { values, args, resource } = controller;
  const off = SWITCHES.flatMap(([setting, argument, services]) => {
    // What isn't known may be switched off.
    const value = dataAt(values, setting) ?? true;
    const isOn =
      value === true && !args.includes(`--${argument}=false`) && hasArgument(controller, argument) !== 'maybe';
    return isOn ? [] : [services];
  });
  const isIso = /^aws-iso/.test(('environment' in resource ? resource.environment.partition : undefined) ?? '');
  const iso = new Set(isIso ? notInIsoPartitions() : []);
  return (action) => iso.has(action) || off.some((services) => services.test(action));
}

/** The feature of which an action is part, where nothing in the input asks for it; undefined for what may be called anyway. */
export function idleFeatureOf(view: ClusterView, version: string): (action: string) => LoadBalancerFeature | undefined {
  const features = loadBalancerFeatures(version);
  return (action) => {
    const feature = features.find(({ actions }) => actions.includes(action));
    return feature === undefined || isAskedFor(feature, settingsOf(view)) ? undefined : feature;
  };
}

function isAskedFor({ annotations, fields }: LoadBalancerFeature, settings: ReadonlySet<string>): boolean {
  return annotations.some((one) => settings.has(one)) || fields.some((one) => settings.has(one));
}

const known = new WeakMap<ClusterView, ReadonlySet<string>>();

/** What objects of the input, and values of charts, tell the controller: the ends of annotations and names of fields; looked for once. */
function settingsOf(view: ClusterView): ReadonlySet<string> {
  let found = known.get(view);
  if (found === undefined) {
    const settings = new Set<string>();
    for (const { object } of view.manifests)
      collect(object, settings, OWN_KINDS.has(dataAt(object, 'kind')), MOST_STEPS);
    // Charts take objects of every kind among their values.
    for (const { values } of view.helmReleases) collect(values, settings, true, MOST_STEPS);
    known.set(view, (found = settings));
  }
  return found;
}

/** Objects with which only this controller is configured. */
const OWN_KINDS: ReadonlySet<unknown> = new Set([
  'IngressClassParams',
  'LoadBalancerConfiguration',
  'ListenerRuleConfiguration',
]);

/** Deeper than annotations and fields stand. */
const MOST_STEPS = 12;

const ANNOTATION = /^(?:alb\.ingress\.kubernetes\.io\/|service\.beta\.kubernetes\.io\/aws-load-balancer-)([^.]+)/;

function collect(data: Data | undefined, settings: Set<string>, isOwn: boolean, steps: number): void {
  if (steps === 0) return;
  if (Array.isArray(data)) for (const item of data as readonly Data[]) collect(item, settings, isOwn, steps - 1);
  else if (isDataMap(data))
    for (const [key, value] of entriesOf(data)) {
      const end = ANNOTATION.exec(key)?.[1] ?? (isOwn ? key : undefined);
      if (end !== undefined) settings.add(end);
      collect(value, settings, isOwn, steps - 1);
    }
}
