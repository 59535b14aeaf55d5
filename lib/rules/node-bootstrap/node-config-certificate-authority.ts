import { defineRule } from '../../engine';
import { dataAt, Unknown } from '../../eks';
import { decodesAsCertificateAuthority, type NodeConfigReading } from '../../eks/user-data/node-config';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import {
  correctedIn,
  judgeNodeConfigs,
  placeOf,
  problemsAbout,
  type FoundProblem,
  type NodeConfigBoot,
} from './parts/node-config-judgements';

/*
 * The certificate authority is bytes for nodeadm: base64, one level, as the EKS API gives it. Text that is no base64 fails to
 * decode, and with it all of the user data's configuration.
 * Source: awslabs/amazon-eks-ami, nodeadm/api/v1alpha1/nodeconfig_types.go, tried with nodeadm's own parser.
 */

const CODE = {
  cloudformation: 'certificateAuthority: ${Cluster.CertificateAuthorityData} # inside Fn::Base64: !Sub |',
  'aws-cdk': 'certificateAuthority: cluster.clusterCertificateAuthorityData,',
  terraform:
    'certificateAuthority = aws_eks_cluster.main.certificate_authority[0].data # as it is: neither base64encode() nor base64decode()',
};

const FIX = {
  summary: 'Pass on the certificate authority data of the cluster unchanged, as the EKS API gives it.',
  code: CODE,
  safety: 'needs-decision',
} as const;

const PUT_RIGHT = { ...FIX, effect: NODES_ROLL, repairs: [{ kind: 'lines', field: 'userData' }] } as const;

export const nodeConfigCertificateAuthority = defineRule<Message>({
  id: 'node-config-certificate-authority',
  subject: 'node-bootstrap',
  title: 'The certificate authority in a NodeConfig is the one of the EKS API, base64-encoded once',
  severity: 'error',
  since: '0.1.0',
  messages: {
    undecodable: {
      text: "{{where}}: the certificate authority on line {{line}} of the user data {{problem}}. nodeadm can't decode it and goes on without any configuration of the user data, so the nodes never join.",
      fix: PUT_RIGHT,
    },
    useless: {
      text: "{{where}}: the certificate authority on line {{line}} of the user data {{problem}}. kubelet can't verify the API server with it, so the nodes never join.",
      fix: PUT_RIGHT,
    },
    placeholder: {
      text: "{{where}}: the certificate authority on line {{line}} of the user data {{problem}}. If that isn't the cluster's, kubelet can't verify the API server, and the nodes never join.",
      fix: FIX,
    },
  },
  *check(model) {
    yield* judgeNodeConfigs(model, judge);
  },
});

type Message = 'undecodable' | 'useless' | 'placeholder';

const PATH = ['spec', 'cluster', 'certificateAuthority'] as const;

function judge({ boot: { when }, configs, isMerged }: NodeConfigBoot): readonly LaunchOutcome<Message>[] {
  const { merged } = configs;
  const effective = merged.unknown === undefined && !isMerged ? merged.origin(PATH)?.reading : undefined;
  const failures = problemsAbout(configs, 'certificate-authority').flatMap(
    (found): readonly LaunchOutcome<Message>[] => {
      const { reading, problem, severity } = found;
      const message = messageFor(found);
      // One that decodes only matters where it has the last word.
      if (message !== 'undecodable' && reading !== effective) return [];
      const { source, line } = placeOf(reading, problem.offset);
      return [
        {
          verdict: 'fail',
          message,
          severity,
          source,
          data: { line, problem: problem.message.replace(DECODING_FAILS, '') },
          ...correctedIn(reading, problem.correction),
          when,
        },
      ];
    },
  );
  if (failures.length > 0) return failures;
  return configs.parts.some(({ reading }) => isSet(reading)) ? passing(when) : [];
}

/** What the message tells itself. */
const DECODING_FAILS = /, and nodeadm then discards all configuration of the user data$/;

function messageFor({ reading, problem }: FoundProblem): Message {
  if (problem.kind !== 'certificate-authority') return 'placeholder';
  const value = dataAt(reading.data, ...PATH);
  return typeof value === 'string' && decodesAsCertificateAuthority(value) ? 'useless' : 'undecodable';
}

function isSet({ data }: NodeConfigReading): boolean {
  const value = dataAt(data, ...PATH);
  return value !== undefined && value !== null && !(value instanceof Unknown && value === data);
}
