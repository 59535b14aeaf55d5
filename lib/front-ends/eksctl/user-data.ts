import type { UserData } from '../../eks';
import { SourceText, type TextPiece } from '../../eks/user-data/source-text';
import { Absent, Known, Unknown, type Plain, type Source } from '../../value';
import type { ConfigFile } from './config-file';
import type { ConfigNode } from './config-node';
import { isBottlerocket, isUbuntu, isWindows } from './families';
import { amiIn, familyIn } from './group-settings';
import { parsedOverride } from './override';
import { tomlOf } from './toml';

/*
 * The user data that eksctl writes for a group, by family, so that what the user wrote into it stands where it stands in the file. Source:
 * nodebootstrap/*.go. The boundary of its MIME documents is drawn by lot; here it has a name.
 */

const BOUNDARY = 'eksctl';

/** Of a managed group: EKS adds the bootstrap itself, unless the group names an AMI. */
export function managedUserData(file: ConfigFile, group: ConfigNode): Plain<UserData> {
  return userData(file, group, true);
}

/** Of a self-managed group, which nobody else bootstraps. */
export function selfManagedUserData(file: ConfigFile, group: ConfigNode): Plain<UserData> {
  return userData(file, group, false);
}

function userData(file: ConfigFile, group: ConfigNode, isManaged: boolean): Plain<UserData> {
  const family = familyIn(group);
  if (family.kind !== 'known')
    return new Unknown(
      `its user data depends on the AMI family: ${family.kind === 'unknown' ? family.reason : ''}`,
      family.source,
    );
  if (isUbuntu(family.value)) return new Unknown(`what eksctl writes for ${family.value} isn't judged`, family.source);
  const pieces = piecesOf(file, group, family.value, isManaged);
  if (pieces === undefined) return new Absent(group);
  return new Known({ text: SourceText.compose(pieces), layers: [], encodedBy: 'engine' }, group, 'written by eksctl');
}

function piecesOf(
  file: ConfigFile,
  group: ConfigNode,
  family: string,
  isManaged: boolean,
): readonly TextPiece[] | undefined {
  if (isBottlerocket(family)) return bottlerocket(file, group);
  if (isWindows(family)) return isManaged ? managedWindows(group) : windows(file, group);
  if (family === 'AmazonLinux2023') return al2023(file, group, isManaged);
  return isManaged ? managedAl2(group) : al2(file, group);
}

/** Text of eksctl's own. */
function own(text: string, source: Source): TextPiece {
  return { text, sourceAt: () => source };
}

/** Text of the user's. */
function written(node: ConfigNode): readonly TextPiece[] {
  const { script } = node;
  const whole = script.kind === 'known' ? script.value : '';
  return node.scriptParts.map((part) =>
    part instanceof Unknown
      ? { unknown: part }
      : { text: part.text, sourceAt: (offset) => node.inText(whole, part.start + offset) },
  );
}

/** What only the cluster tells when it is there. */
function ofCluster(what: string, source: Source): TextPiece {
  return { unknown: new Unknown(`only the cluster tells its ${what}`, source, `\${${what}}`) };
}

function clusterName(file: ConfigFile): readonly TextPiece[] {
  const { name } = file;
  if (name.kind === 'known') return [own(name.value, name.source)];
  return [name.kind === 'unknown' ? { unknown: name } : ofCluster('name', name.source)];
}

interface MimePart {
  readonly type: string;
  readonly body: readonly TextPiece[];
}

function mime(parts: readonly MimePart[], source: Source): readonly TextPiece[] {
  return [
    own(`MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${BOUNDARY}"\n`, source),
    ...parts.flatMap(({ type, body }) => [
      own(`\n--${BOUNDARY}\nContent-Type: ${type}\n\n`, source),
      ...body,
      own('\n', source),
    ]),
    own(`\n--${BOUNDARY}--\n`, source),
  ];
}

const SCRIPT = 'text/x-shellscript; charset="us-ascii"';
const NODE_CONFIG = 'application/node.eks.aws';

const NODE_CONFIG_HEAD = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n';

function al2023(file: ConfigFile, group: ConfigNode, isManaged: boolean): readonly TextPiece[] | undefined {
  const parts: MimePart[] = group
    .child('preBootstrapCommands')
    .items.map((command) => ({ type: SCRIPT, body: [own('#!/bin/bash\n', command), ...written(command)] }));
  if (!isManaged || amiIn(group).kind !== 'absent')
    parts.push({ type: NODE_CONFIG, body: clusterNodeConfig(file, group) });
  const maxPods = group.child('maxPodsPerNode');
  if (typeof maxPods.raw === 'number' && maxPods.raw > 0)
    parts.push({
      type: NODE_CONFIG,
      body: [own(`${NODE_CONFIG_HEAD}  kubelet:\n    config:\n      maxPods: ${maxPods.raw}\n`, maxPods)],
    });
  const override = group.child('overrideBootstrapCommand');
  // What eksctl can't parse it refuses.
  if (parsedOverride(override) === 'node-config') parts.push({ type: NODE_CONFIG, body: written(override) });
  return parts.length === 0 ? undefined : mime(parts, group);
}

/** Everything that a node needs to join, of a group that EKS adds nothing to. */
function clusterNodeConfig(file: ConfigFile, group: ConfigNode): readonly TextPiece[] {
  const cidr = file.root.at('kubernetesNetworkConfig', 'serviceIPv4CIDR');
  const extra = group.child('kubeletExtraConfig');
  return [
    own(`${NODE_CONFIG_HEAD}  cluster:\n    name: `, group),
    ...clusterName(file),
    own('\n    apiServerEndpoint: ', group),
    ofCluster('endpoint', group),
    own('\n    certificateAuthority: ', group),
    ofCluster('certificate authority', group),
    own('\n    cidr: ', group),
    cidr.text.kind === 'known' ? own(cidr.text.value, cidr) : ofCluster('service CIDR', group),
    own('\n  kubelet:\n    config:\n      clusterDNS:\n        - ', group),
    ofCluster('DNS address', group),
    ...extra.keys
      .filter((key) => key !== 'clusterDNS')
      .map((key) => own(`\n      ${JSON.stringify(key)}: ${JSON.stringify(extra.child(key).raw)}`, extra.child(key))),
    own('\n    flags:\n      - "--node-labels=', group),
    ...labelPieces(group),
    own('"\n', group),
  ];
}

/** Those of the user, each at its place, and one of eksctl's own. */
function labelPieces(group: ConfigNode): readonly TextPiece[] {
  const labels = group.child('labels');
  return [
    ...labels.keys.map((key) => own(`${key}=${labels.child(key).label},`, labels.child(key))),
    own(`alpha.eksctl.io/nodegroup-name=${group.child('name').label}`, group),
  ];
}

/** Scripts as they are written: eksctl puts no `#!` in front. */
function managedAl2(group: ConfigNode): readonly TextPiece[] | undefined {
  const scripts = group
    .child('preBootstrapCommands')
    .items.map((command): MimePart => ({ type: SCRIPT, body: written(command) }));
  const override = group.child('overrideBootstrapCommand');
  const maxPods = group.child('maxPodsPerNode');
  if (override.isWritten) scripts.push({ type: SCRIPT, body: written(override) });
  else if (typeof maxPods.raw === 'number' && maxPods.raw > 0 && amiIn(group).kind === 'absent')
    scripts.push({
      type: SCRIPT,
      body: [
        own(
          `#!/bin/sh\nset -ex\nsed -i 's/KUBELET_EXTRA_ARGS=$2/KUBELET_EXTRA_ARGS="$2 --max-pods=${maxPods.raw}"/' /etc/eks/bootstrap.sh`,
          maxPods,
        ),
      ],
    });
  return scripts.length === 0 ? undefined : mime(scripts, group);
}

/** The commands of eksctl's cloud-config one after the other, which is how they run. */
function al2(file: ConfigFile, group: ConfigNode): readonly TextPiece[] {
  const commands = group
    .child('preBootstrapCommands')
    .items.flatMap((command) => [...written(command), own('\n', command)]);
  const override = group.child('overrideBootstrapCommand');
  const bootstrap = override.isWritten
    ? written(override)
    : [
        own('/etc/eks/bootstrap.sh "', group),
        ...clusterName(file),
        own('" --apiserver-endpoint "', group),
        ofCluster('endpoint', group),
        own('" --b64-cluster-ca "', group),
        ofCluster('certificate authority', group),
        own('" --dns-cluster-ip "', group),
        ofCluster('DNS address', group),
        own('" --kubelet-extra-args "--node-labels=', group),
        ...labelPieces(group),
        own('" --container-runtime containerd\n', group),
      ];
  return [own('#!/bin/bash\n', group), ...commands, ...bootstrap];
}

function managedWindows(group: ConfigNode): readonly TextPiece[] | undefined {
  const commands = group.child('preBootstrapCommands').items;
  if (commands.length === 0) return undefined;
  return [
    own('<powershell>\n', group),
    ...commands.flatMap((command) => [...written(command), own('\n', command)]),
    own('</powershell>', group),
  ];
}

function windows(file: ConfigFile, group: ConfigNode): readonly TextPiece[] {
  const override = group.child('overrideBootstrapCommand');
  const commands = group
    .child('preBootstrapCommands')
    .items.flatMap((command) => [...written(command), own('\n', command)]);
  const bootstrap = override.isWritten
    ? written(override)
    : [
        own('& $EKSBootstrapScriptFile -EKSClusterName "', group),
        ...clusterName(file),
        own('" -APIServerEndpoint "', group),
        ofCluster('endpoint', group),
        own('" -Base64ClusterCA "', group),
        ofCluster('certificate authority', group),
        own('" -KubeletExtraArgs "--node-labels=', group),
        ...labelPieces(group),
        own('" 3>&1 4>&1 5>&1 6>&1', group),
      ];
  return [
    own(
      '<powershell>\n[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"\n',
      group,
    ),
    ...commands,
    ...bootstrap,
    own('\n</powershell>', group),
  ];
}

function bottlerocket(file: ConfigFile, group: ConfigNode): readonly TextPiece[] {
  const settings = group.at('bottlerocket', 'settings');
  const kubernetes = settings.child('kubernetes');
  const maxPods = group.child('maxPodsPerNode');
  const hasMaxPods = typeof maxPods.raw === 'number' && maxPods.raw > 0;
  const admin = group.at('bottlerocket', 'enableAdminContainer');
  // Of these it refuses or replaces what the user writes.
  const replaced = ['cluster-name', 'api-server', 'cluster-certificate', ...(hasMaxPods ? ['max-pods'] : [])];
  return [
    ...tomlOf(['settings'], settings, { without: ['kubernetes'] }),
    own('[settings.kubernetes]\n', group),
    own('cluster-name = "', group),
    ...clusterName(file),
    own('"\napi-server = "', group),
    ofCluster('endpoint', group),
    own('"\ncluster-certificate = "', group),
    ofCluster('certificate authority', group),
    own('"\n', group),
    ...(hasMaxPods ? [own(`max-pods = ${maxPods.label}\n`, maxPods)] : []),
    ...tomlOf(['settings', 'kubernetes'], kubernetes, { hasHead: true, without: replaced }),
    ...(admin.isWritten && !settings.at('host-containers', 'admin', 'enabled').isWritten
      ? [own(`[settings.host-containers.admin]\nenabled = ${admin.label}\n`, admin)]
      : []),
  ];
}
