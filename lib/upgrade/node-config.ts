import {
  alternativesOf,
  bootsByResource,
  clusterCoordinates,
  documentOf,
  ownServiceRange,
  Unknown,
  type Cluster,
  type EksModel,
  type LaunchTemplate,
  type Source,
  type UserData,
} from '../eks';
import { nodeConfigOf } from '../eks/user-data/bootstrap-script';
import { MIME_TYPES, renderMime } from '../eks/user-data/mime/render';
import {
  NODE_CONFIG_API_VERSION,
  NODE_CONFIG_KIND,
  renderNodeConfig,
  validateNodeConfig,
  type ClusterDetails,
} from '../eks/user-data/node-config';
import { runningScriptOf } from '../eks/user-data/scripts';
import { SourceText } from '../eks/user-data/source-text';

/** The NodeConfig that does what the user data of AL2 nodes does. */
export interface Translation {
  readonly yaml: string;
  readonly notes: readonly string[];
  /** Of the call that it stands for. */
  readonly source: Source;
  /** User data of that NodeConfig alone, for the rules to judge. */
  readonly userData: UserData;
}

/** What is decided at deployment, or has to be looked up. */
const OPEN = /\$\{[^}]*\}|<[a-z][^>]*>/;

/** Translates the one call of `bootstrap.sh` in the user data of a launch template; undefined if it has none, or several. */
export function translated(
  template: LaunchTemplate,
  model: EksModel,
  kubernetesVersion: string,
): Translation | undefined {
  const [only, ...others] = alternativesOf(template.userData);
  if (only?.value.kind !== 'known' || others.length > 0) return undefined;
  const scripts = documentOf(only.value.value).parts.flatMap((part) => {
    const script = runningScriptOf(part);
    return script === undefined ? [] : [{ script, part }];
  });
  const calls = scripts.flatMap(({ script, part }) => script.bootstrapCalls.map((call) => ({ call, script, part })));
  const [first] = calls;
  if (first === undefined || calls.length > 1) return undefined;
  const boots = bootsByResource(model).find(({ resource }) => resource === template)?.launches ?? [];
  const clusters = new Set(boots.map(({ view }) => view.cluster));
  const [cluster] = clusters;
  // Without an AMI of its own EKS adds what the nodes need to join.
  const joinsByItself = template.imageId.kind !== 'absent';
  const { spec, notes } = nodeConfigOf(first.call, {
    kubernetesVersion,
    ...(joinsByItself ? { cluster: coordinatesOf(clusters.size === 1 ? cluster : undefined, template) } : {}),
  });
  const source = first.part.body.sourceAt(first.call.offset);
  const place = placeOf(template, source);
  const document = { apiVersion: NODE_CONFIG_API_VERSION, kind: NODE_CONFIG_KIND, spec };
  const problems = validateNodeConfig(document, (value) => typeof value === 'string' && OPEN.test(value));
  const commands = first.script.script.commands.length;
  const yaml = reachable(renderNodeConfig(spec), place);
  return {
    yaml,
    notes: [
      ...notes,
      ...problems.map(({ path, message }) => `\`${path}\` ${message}.`),
      ...(commands > 1
        ? ['The other commands of the script stay in a part of their own (`text/x-shellscript`), without the call.']
        : []),
      ...(OPEN.test(yaml.replaceAll(/\$\{[^}]*\}/g, ''))
        ? [
            place.isFile
              ? 'In the place of what stands in angle brackets write the variable by which the call of `templatefile` gives it to the file.'
              : 'Fill in what stands in angle brackets: aws eks describe-cluster tells it.',
          ]
        : []),
    ],
    source,
    userData: {
      text: withHoles(renderMime([{ type: MIME_TYPES.nodeConfig, body: yaml }]), template.source),
      layers: [],
      encodedBy: 'engine',
    },
  };
}

/** Where the NodeConfig is to stand. */
interface Place {
  /** The module in whose code it is, `module.eks.`; undefined where code isn't Terraform's. */
  readonly module: string | undefined;
  /** It is a file for `templatefile()`, which knows the variables alone that the call gives it. */
  readonly isFile: boolean;
}

function placeOf(template: LaunchTemplate, text: Source): Place {
  if (template.dialect.deployedBy !== 'Terraform') return { module: undefined, isFile: false };
  const { file } = text.locate();
  return {
    module: /^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/.exec(template.id)?.[0] ?? '',
    isFile: file !== template.source.locate().file && !/\.(?:tf|tofu)(?:\.json)?$/.test(file),
  };
}

/** A reference to what stands in a module, `module.eks.aws_eks_cluster.this.endpoint`, and within its own code. */
const IN_MODULE = /^((?:module\.[\w-]+(?:\[[^\]]*\])?\.)+)((?:data\.)?[a-z0-9]+_\w+\.[\w-]+(?:\[[^\]]*\])?\..+)$/;

/** References as they can be written in the place; what none reaches is called by words. */
function reachable(yaml: string, { module, isFile }: Place): string {
  if (module === undefined) return yaml;
  return yaml.replaceAll(/\$\{([^}]*)\}/g, (written, expression: string) => {
    const [, of = '', within = expression] = IN_MODULE.exec(expression) ?? [];
    if (!isFile && (of === '' || of === module)) return `\${${within}}`;
    return expression === '' || (of === '' && !isFile) ? written : `<${inWordsOf(within)}>`;
  });
}

function inWordsOf(expression: string): string {
  if (expression.endsWith('.endpoint')) return 'endpoint of the cluster';
  if (expression.includes('.certificate_authority')) return 'certificate authority of the cluster';
  if (/\.service_ipv[46]_cidr$/.test(expression)) return 'service range of the cluster';
  return `value of ${expression.replaceAll(/["<>\\]/g, '')}`;
}

/** How the code of a launch template names what nodeadm wants to know of its cluster; what has to be looked up stands in angle brackets. */
function coordinatesOf(cluster: Cluster | undefined, template: LaunchTemplate): Required<NodeConfigCluster> {
  const { cidr = cluster === undefined ? undefined : ownServiceRange(cluster), ...known } =
    clusterCoordinates(cluster, template) ?? {};
  return {
    name: '<name of the cluster>',
    apiServerEndpoint: '<endpoint of the cluster>',
    certificateAuthority: '<certificate authority of the cluster>',
    ...known,
    cidr: cidr ?? '<service range of the cluster>',
  };
}

type NodeConfigCluster = Pick<ClusterDetails, 'name' | 'apiServerEndpoint' | 'certificateAuthority' | 'cidr'>;

/** A text with what is decided later as unknown parts. */
function withHoles(text: string, source: Source): SourceText {
  return SourceText.compose(
    text
      .split(new RegExp(`(${OPEN.source})`))
      .map((piece, index) =>
        index % 2 === 1
          ? { unknown: new Unknown('it is decided at deployment', source, piece.startsWith('$') ? piece : undefined) }
          : { text: piece, sourceAt: () => source },
      ),
  );
}
