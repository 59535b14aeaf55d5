import { RESOURCE_TABLES } from '../../eks/resources';
import { propertyPath, stepsOf, type ResourceTable, type Setting } from '../../eks/resources/table';
import { keptByText } from '../../text/kept-by-text';
import { withOwnValues } from '../parts/own-values';
import { isForTemplateAlone, renamedCode, type SettingNames } from '../parts/renamed-code';
import type { Addon, LaunchTemplate } from '../../eks';
import { defaultAddonVersion, newestAddonVersion } from '../../knowledge';
import type { Resource, Value } from '../../value';

/*
 * Code for a ClusterConfig, of that for a template of CloudFormation: eksctl has the same settings under other names. What it has no setting for, words
 * alone say.
 */

/** Settings that eksctl has in another form. */
const OF_ANOTHER_FORM = new Set(['amiType', 'capacityType', 'metadata']);

export function codeInConfig(code: string, resource: Resource): string | undefined {
  const { type } = resource;
  // User data, of which eksctl writes the rest.
  if (!/^[A-Z]\w*:/m.test(code)) return undefined;
  // What refers to other resources, goes elsewhere, or is for the user to fill in.
  if (isForTemplateAlone(code)) return undefined;
  if (type.endsWith('.launchTemplate')) return metadataCode(code, resource);
  const table = RESOURCE_TABLES.find(({ eksctl = [] }) => eksctl.includes(type));
  if (table === undefined) return undefined;
  const whole = withOwnValues(code, resource);
  const own = whole === undefined ? undefined : renamed(JSON.stringify([type, whole]));
  return own === undefined ? undefined : asItem(own, resource);
}

/** An add-on that eksctl installs without being told has no item in the file yet; one that is listed names a version, too. */
function asItem(code: string, resource: Resource): string {
  const { name, isImplied, cluster } = resource as Partial<Addon>;
  if (isImplied !== true || name?.kind !== 'known') return code;
  const ofCluster = cluster?.kind === 'known' ? cluster.value.target?.version : undefined;
  const minor = ofCluster?.kind === 'known' ? ofCluster.value : '';
  const version = defaultAddonVersion(name.value, minor) ?? newestAddonVersion(name.value, minor);
  const lines = [...(version === undefined ? [] : [`version: ${version}`]), ...code.split('\n')];
  return ['# in the file, one more of addons:', `- name: ${name.value}`, ...lines.map((line) => `  ${line}`)].join(
    '\n',
  );
}

const renamed = keptByText((key): string | undefined => {
  const [type = '', code = ''] = JSON.parse(key) as readonly string[];
  const table = RESOURCE_TABLES.find(({ eksctl = [] }) => eksctl.includes(type));
  return table === undefined
    ? undefined
    : renamedCode(code, namesIn(table))?.replace(
        /^(resolveConflicts: )([A-Z]+)$/m,
        (_, name: string, mode: string) => name + mode.toLowerCase(),
      );
});

/** The names of settings in CloudFormation and in eksctl; of blocks those of what is in them. */
function namesIn(table: ResourceTable): readonly SettingNames[] {
  return Object.entries(table.settings).flatMap(([name, setting]): readonly SettingNames[] => {
    const from = propertyPath(table, setting);
    const to = setting.eksctl;
    if (from === undefined || to === undefined || OF_ANOTHER_FORM.has(name)) return [];
    const steps = stepsOf(to);
    if (!('settings' in setting) || setting.type !== 'block') return [{ from, to: steps }];
    return Object.values(setting.settings).flatMap((inner: Setting): readonly SettingNames[] =>
      inner.cloudFormation === undefined || inner.eksctl === undefined
        ? []
        : [{ from: [...from, ...stepsOf(inner.cloudFormation)], to: [...steps, ...stepsOf(inner.eksctl)] }],
    );
  });
}

/** Two hops and required tokens are what eksctl writes where the file doesn't say otherwise. */
function metadataCode(code: string, resource: Resource): string | undefined {
  if (!/^MetadataOptions:/m.test(code) && !/^HttpTokens:/m.test(code)) return undefined;
  const { metadata } = resource as LaunchTemplate;
  const lines = [
    ...(isKnown(metadata.httpTokens, 'optional') ? ['disableIMDSv1: true'] : []),
    ...(isKnown(metadata.hopLimit, 1) && code.includes('HttpPutResponseHopLimit: 2') ? ['disablePodIMDS: false'] : []),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

function isKnown<T>(value: Value<T>, wanted: T): boolean {
  return value.kind === 'known' && value.value === wanted;
}
