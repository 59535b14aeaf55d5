import { defineRule } from '../../engine';
import {
  dataAt,
  isDataMap,
  nodeConfigsOf,
  Unknown,
  type BootCase,
  type Data,
  type NodeConfigs,
  type Source,
} from '../../eks';
import { nodeadmInitCallsIn } from '../../eks/user-data/bootstrap-script';
import type { UserDataDocument } from '../../eks/user-data/document';
import { missingClusterFields, type NodeConfigReading } from '../../eks/user-data/node-config';
import { readShell, unknownCommandsIn } from '../../eks/user-data/shell';
import { judgeAllUserData } from '../parts/boot-judgements';
import { undecided } from '../parts/case-judgements';
import { coordinatesIn } from '../parts/corrected-bootstrap';
import { NODES_ROLL } from '../parts/repair-effects';
import { listOf } from '../../text/in-words';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import {
  correctedIn,
  isJudged,
  isMergedBy,
  placeOfMerged,
  problemsAbout,
  type NodeConfigBoot,
} from './parts/node-config-judgements';

/*
 * EKS fills in the cluster for managed nodes without an AMI of their own. All others must say which cluster they join, in four
 * fields that nodeadm demands.
 * Source: awslabs/amazon-eks-ami, nodeadm/internal/api/validation.go; EKS user guide, "Customize managed nodes with launch templates".
 */

const CODE = {
  cloudformation: [
    'apiVersion: node.eks.aws/v1alpha1',
    'kind: NodeConfig',
    'spec:',
    '  cluster: # inside Fn::Base64: !Sub |',
    '    name: ${Cluster}',
    '    apiServerEndpoint: ${Cluster.Endpoint}',
    '    certificateAuthority: ${Cluster.CertificateAuthorityData}',
    "    cidr: 172.20.0.0/16 # the cluster's ServiceIpv4Cidr, or ${Cluster.KubernetesNetworkConfig.ServiceIpv6Cidr}",
  ].join('\n'),
  'aws-cdk': [
    'userData: new NodeConfig({',
    '  cluster: {',
    '    name: cluster.clusterName,',
    '    apiServerEndpoint: cluster.clusterEndpoint,',
    '    certificateAuthority: cluster.clusterCertificateAuthorityData,',
    "    cidr: '172.20.0.0/16', // the service CIDR of the cluster",
    '  },',
    "}).toUserData(), // NodeConfig from 'eks-guardrails/aws-cdk'; its ManagedNodeGroup fills all of it in by itself",
  ].join('\n'),
  terraform: [
    'cluster = {',
    '  name                 = aws_eks_cluster.main.name',
    '  apiServerEndpoint    = aws_eks_cluster.main.endpoint',
    '  certificateAuthority = aws_eks_cluster.main.certificate_authority[0].data',
    '  cidr                 = aws_eks_cluster.main.kubernetes_network_config[0].service_ipv4_cidr',
    '}',
  ].join('\n'),
};

export const nodeConfigCluster = defineRule<'incomplete'>({
  id: 'node-config-cluster',
  subject: 'node-bootstrap',
  title:
    'The NodeConfig of AL2023 nodes with an AMI of their own names the whole cluster: name, endpoint, certificate authority and service CIDR',
  severity: 'error',
  since: '0.1.0',
  messages: {
    incomplete: {
      text: '{{where}} brings its own bootstrap, and its NodeConfig (line {{line}} of the user data) leaves out {{fields}}. nodeadm ends with "{{error}}", so the nodes never join.',
      fix: {
        summary: 'Set all four fields under `spec.cluster`, from the cluster itself.',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
  },
  *check(model) {
    yield* judgeAllUserData(model, ['AL2023'], (boot) => {
      const { document } = boot;
      if (document === undefined || !isJudged(boot)) return [];
      const configs = nodeConfigsOf(document);
      if (configs !== undefined) return judge({ boot, document, configs, isMerged: isMergedBy(boot) });
      if (boot.bootstrapBy !== 'user' || document.defects.length > 0) return [];
      const reason = "a script brings its NodeConfig, and whether nodeadm gets that in time can't be told";
      return [{ verdict: 'unverifiable', reason, source: boot.userData.source, when: boot.when }];
    });
  },
});

/** nodeadm's own words, in the order in which it looks. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['name', 'Name is missing in cluster configuration'],
  ['apiServerEndpoint', 'Apiserver endpoint is missing in cluster configuration'],
  ['certificateAuthority', 'Certificate authority is missing in cluster configuration'],
  ['cidr', 'CIDR is missing in cluster configuration'],
  ['id', 'cluster ID must be provided for outposts'],
]);

function judge({ boot, document, configs, isMerged }: NodeConfigBoot): readonly LaunchOutcome<'incomplete'>[] {
  const { when } = boot;
  if (isMerged) return passing(when);
  const { merged } = configs;
  // One part that can't be decoded costs all of them: that is what has to be fixed first.
  if (merged.unreadable.length > 0 || isUndecodable(configs)) return [];
  const cluster = dataAt(merged.data, 'spec', 'cluster');
  if (cluster instanceof Unknown)
    return [{ ...undecided("what its NodeConfig says of the cluster isn't known", cluster), when }];
  const all = missingClusterFields(isDataMap(cluster) ? cluster : undefined);
  const missing = all.filter((field) => !isToldElsewhere(field, configs));
  const [first] = missing;
  if (first === undefined) return all.length === 0 && merged.unknown === undefined ? passing(when) : [];
  const fields = listOf(missing.map((field) => `\`cluster.${field}\``));
  if (boot.bootstrapBy === 'unknown') {
    return [
      {
        verdict: 'unverifiable',
        reason: `its NodeConfig leaves out ${fields}, and whether EKS adds that isn't known: an AMI of its own decides`,
        source: boot.userData.source,
        when,
      },
    ];
  }
  const elsewhere = merged.unknown ?? ownConfiguration(document);
  if (elsewhere !== undefined) {
    return [
      {
        verdict: 'unverifiable',
        reason: `what can be seen of its NodeConfig leaves out ${fields}, and ${elsewhere.reason}`,
        source: elsewhere.source,
        when,
      },
    ];
  }
  const { source, line } = placeOfMerged(configs, 'spec.cluster', 'spec');
  const data = { line, fields, error: ERRORS.get(first) ?? '' };
  const [part] = configs.parts;
  const corrected = configs.parts.length === 1 ? completed(boot, part.reading, cluster, missing) : {};
  return [{ verdict: 'fail', message: 'incomplete', source, data, ...corrected, when }];
}

/** The missing fields by references to the cluster of the input. One that is written empty is for somebody to decide. */
function completed(
  boot: BootCase,
  reading: NodeConfigReading,
  cluster: Data | undefined,
  missing: readonly string[],
): Pick<LaunchOutcome<'incomplete'>, 'corrected'> {
  const known: Readonly<Record<string, string | undefined>> = { ...coordinatesIn(boot) };
  const isWritten = isDataMap(cluster) && missing.some((field) => Object.hasOwn(cluster, field));
  if (isWritten || missing.some((field) => known[field] === undefined)) return {};
  const lines = missing.map((field) => `${field}: "${known[field] ?? ''}"`);
  return correctedIn(
    reading,
    isDataMap(cluster)
      ? reading.withEntries('spec.cluster', lines)
      : cluster === undefined
        ? reading.withEntries('spec', ['cluster:', ...lines.map((line) => `  ${line}`)])
        : undefined,
  );
}

function isUndecodable(configs: NodeConfigs): boolean {
  return problemsAbout(configs, 'decoding').some(({ severity }) => severity === 'error');
}

/** Whether another rule reports why a field is missing: an empty certificate authority, or a field that stands in the wrong block. */
function isToldElsewhere(field: string, configs: NodeConfigs): boolean {
  if (field === 'certificateAuthority' && problemsAbout(configs, 'certificate-authority').length > 0) return true;
  return problemsAbout(configs, 'unknown-field').some(({ problem: { kind, keys } }) => {
    const last = keys.at(-1);
    return kind === 'misplaced-field' && (last === 'cluster' || last === field);
  });
}

/** A script that may start nodeadm with another configuration. */
function ownConfiguration(
  document: UserDataDocument,
): { readonly reason: string; readonly source: Source } | undefined {
  for (const part of document.parts) {
    if (!part.readByCloudInit || (part.kind !== 'shell-script' && part.kind !== 'boothook')) continue;
    const script = readShell(part.body);
    const call = nodeadmInitCallsIn(script).find(
      ({ configSource }) => configSource !== undefined && configSource.text?.startsWith('imds:') !== true,
    );
    if (call !== undefined)
      return {
        reason: 'a script runs `nodeadm init` with a configuration of its own',
        source: part.body.sourceAt(call.offset),
      };
    const [unknown] = unknownCommandsIn(script);
    if (unknown !== undefined)
      return { reason: "a script runs a command that isn't known", source: part.body.sourceAt(unknown.offset) };
  }
  return undefined;
}
