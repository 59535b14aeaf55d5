import { yaml } from '../../text/lazy-parsers';
import { keptByText } from '../../text/kept-by-text';
import { isDataMap, type Data, type DataMap, type Resource } from '../../value';
import { mergedValues } from '../parts/own-values';
import { AnswerNode } from './answer-node';

/*
 * Fixes of a cluster that runs are commands of the AWS command line, made of the code for a template of CloudFormation. What no command changes in one go, words
 * alone say. Source: AWS CLI command reference, eks and ec2.
 */

type Properties = Readonly<Record<string, unknown>>;

/** The commands; undefined where there is none, or the code is more than settings. */
export function commandsFor(code: string, resource: Resource): string | undefined {
  // What refers to other resources, goes elsewhere, or is for the user to fill in.
  if (/<[a-z][\w ]*>|![A-Z]\w*|\bFn::|\$\{|^# |^ *Type: /im.test(code)) return undefined;
  const { source, type, id } = resource;
  if (!(source instanceof AnswerNode)) return undefined;
  const properties = propertiesIn(code);
  // A setting without a value is left to the reader, too.
  if (properties === undefined || Object.values(properties).includes(null)) return undefined;
  return COMMANDS[type]?.(properties, source, id);
}

const propertiesIn = keptByText((code): Properties | undefined => {
  const document = yaml().parseDocument(code, { logLevel: 'silent' });
  const content: unknown = document.errors.length > 0 ? undefined : document.toJS();
  return typeof content === 'object' && content !== null && !Array.isArray(content)
    ? (content as Properties)
    : undefined;
});

type MakeCommand = (properties: Properties, node: AnswerNode, id: string) => string | undefined;

const COMMANDS: Readonly<Record<string, MakeCommand>> = {
  'eks:cluster': (properties, _node, id) => {
    const [only, other] = Object.entries(properties);
    if (only === undefined || other !== undefined) return undefined;
    const [key, value] = only;
    if (key === 'Version') return line('eks update-cluster-version', { name: id, 'kubernetes-version': value });
    if (key !== 'UpgradePolicy' || typeof value !== 'object' || value === null) return undefined;
    return line('eks update-cluster-config', {
      name: id,
      'upgrade-policy': `supportType=${String((value as Properties)['SupportType'])}`,
    });
  },
  'eks:nodegroup': (properties, node, id) => {
    const group = { 'cluster-name': node.child('clusterName').label, 'nodegroup-name': id };
    const keys = Object.keys(properties);
    if (keys.length > 0 && keys.every((key) => key === 'Version' || key === 'ReleaseVersion'))
      return line('eks update-nodegroup-version', {
        ...group,
        'kubernetes-version': properties['Version'],
        'release-version': properties['ReleaseVersion'],
      });
    if (keys.length === 0 || !keys.every((key) => key === 'UpdateConfig' || key === 'ScalingConfig')) return undefined;
    return line('eks update-nodegroup-config', {
      ...group,
      'update-config': pairs(properties['UpdateConfig']),
      'scaling-config': pairs(properties['ScalingConfig']),
    });
  },
  'eks:addon': (properties, node, id) => {
    const { AddonVersion: version, ConfigurationValues: values, ServiceAccountRoleArn: role, ...others } = properties;
    if (Object.keys(others).length > 0 || [version, values, role].every((one) => one === undefined)) return undefined;
    return line('eks update-addon', {
      'cluster-name': node.child('clusterName').label,
      'addon-name': id,
      'addon-version': version,
      'service-account-role-arn': role,
      'configuration-values': typeof values === 'string' ? withStored(node, values) : undefined,
      'resolve-conflicts': 'PRESERVE',
    });
  },
  'ec2:launch-template': (properties, node) => {
    const data = properties['LaunchTemplateData'] ?? properties;
    const [id, version] = [node.child('LaunchTemplateId').label, node.child('VersionNumber').label];
    // The template of EKS's own can't be changed.
    if (id === '' || Object.keys(data).some((key) => !/^[A-Z]/.test(key))) return undefined;
    return [
      line('ec2 create-launch-template-version', {
        'launch-template-id': id,
        'source-version': version,
        'launch-template-data': JSON.stringify(data),
      }),
      '# and then each node group that uses it, with the number that this prints: aws eks update-nodegroup-version --launch-template',
    ].join('\n');
  },
};

/** An update replaces the stored values as a whole, so that it has to send them, too. */
function withStored(node: AnswerNode, values: string): string {
  const mapIn = (text: string): DataMap => {
    const data = text === '' ? {} : (yaml().parse(text) as Data);
    return isDataMap(data) ? data : {};
  };
  return JSON.stringify(mergedValues(mapIn(node.child('configurationValues').label), mapIn(values)));
}

/** `MaxUnavailable: 1` as `maxUnavailable=1`. */
function pairs(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return undefined;
  return Object.entries(block)
    .map(([key, value]) => `${key.charAt(0).toLowerCase()}${key.slice(1)}=${String(value)}`)
    .join(',');
}

function line(command: string, options: Properties): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
  return [`aws ${command}`, ...given.map(([name, value]) => `  --${name} ${quoted(String(value).trim())}`)].join(
    ' \\\n',
  );
}

/** A word of a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
