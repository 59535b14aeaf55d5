import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import { accessProblems } from './access';
import { autoModeProblems, fargateProblems, remoteNetworkProblems } from './compute';
import { identityProblems } from './identities';
import { ipv6Problems, networkProblems } from './network';
import { outpostProblems } from './outposts';
import { hasContent, idle, isName, isNoArn, refused, textOf } from './problem';

/* What eksctl refuses of a cluster. Source: apis/eksctl.io/v1alpha5/validation.go, ctl/cmdutils/configfile.go. */

/** CloudWatch has a few more. Source: apis/eksctl.io/v1alpha5/cloudwatch.go. */
const LOG_RETENTION = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653];

export function clusterProblems(file: ConfigFile): readonly ConfigProblem[] {
  return [
    ...metadataProblems(file),
    ...identityProblems(file),
    ...accessProblems(file),
    ...networkProblems(file),
    ...(file.ipFamily.kind === 'known' && file.ipFamily.value === 'ipv6' ? ipv6Problems(file) : []),
    ...autoModeProblems(file),
    ...loggingProblems(file),
    ...otherProblems(file),
    ...remoteNetworkProblems(file),
    ...outpostProblems(file),
    ...fargateProblems(file),
    ...podIdentityProblems(file),
  ];
}

function metadataProblems({ root }: ConfigFile): readonly ConfigProblem[] {
  const metadata = root.child('metadata');
  const problems: ConfigProblem[] = [];
  const has = (key: string): boolean =>
    [metadata, root].some((node) => node.keys.some((one) => one.toLowerCase() === key));
  // A key in another case, or at another depth, is told of itself.
  for (const [key, advice] of [
    ['name', 'such as `shop`'],
    ['region', 'such as `eu-west-1`'],
  ] as const)
    if (!hasContent(metadata.child(key)) && (metadata.child(key).isWritten || !has(key)))
      problems.push(refused(metadata, `\`metadata\` has no \`${key}\``, `Write \`${key}\` into it, ${advice}.`));
  const name = textOf(metadata.child('name'));
  if (name !== undefined && !isName(name))
    problems.push(
      refused(
        metadata.child('name'),
        `the name "${name}" has characters other than letters, digits and hyphens`,
        `Write \`${name.replaceAll(/[^a-zA-Z\d-]+/g, '-')}\`.`,
      ),
    );
  const timeout = metadata.at('rollbackConfig', 'timeoutMinutes');
  if (typeof timeout.raw === 'number' && (timeout.raw < 120 || timeout.raw > 10_080))
    problems.push(
      refused(timeout, `a rollback has 120 to 10080 minutes, not ${timeout.raw}`, 'Choose a number of that range.'),
    );
  return problems;
}

const LOG_TYPES = ['api', 'audit', 'authenticator', 'controllerManager', 'scheduler'];
const ALL_LOGS = ['all', '*'];

function loggingProblems({ root }: ConfigFile): readonly ConfigProblem[] {
  const logging = root.at('cloudWatch', 'clusterLogging');
  const problems: ConfigProblem[] = [];
  const days = logging.child('logRetentionInDays');
  const types = logging.child('enableTypes');
  const kept = typeof days.raw === 'number' ? days.raw : 0;
  if (kept !== 0 && types.items.length === 0 && types.texts.kind !== 'unknown')
    problems.push(
      refused(
        days,
        'logs are to be kept, and no type of log is on',
        'List the types in `cloudWatch.clusterLogging.enableTypes`, such as `["*"]` for all.',
      ),
    );
  else if (kept !== 0 && !LOG_RETENTION.includes(kept))
    problems.push(
      refused(
        days,
        `eksctl does not take ${kept} as days for which logs are kept`,
        `Choose one of ${LOG_RETENTION.join(', ')}.`,
      ),
    );
  // With a word for all, the others don't count.
  if (types.items.some(({ label }) => ALL_LOGS.includes(label))) return problems;
  for (const type of types.items) {
    const name = textOf(type);
    if (name !== undefined && !LOG_TYPES.includes(name))
      problems.push(
        refused(
          type,
          `there is no type of log "${name}"`,
          `Choose from ${LOG_TYPES.map((one) => `\`${one}\``).join(', ')}, or write \`"*"\` for all.`,
        ),
      );
  }
  return problems;
}

function otherProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root } = file;
  const problems: ConfigProblem[] = [];
  const encryption = root.child('secretsEncryption');
  if (encryption.isWritten && !encryption.child('keyARN').isWritten)
    problems.push(refused(encryption, '`secretsEncryption` names no key', 'Set `secretsEncryption.keyARN`.'));
  if (isNoArn(encryption.child('keyARN')))
    problems.push(
      refused(
        encryption.child('keyARN'),
        `the key of \`secretsEncryption\` is "${encryption.child('keyARN').label}", which is no ARN`,
        'Write the ARN of the key: `arn:aws:kms:REGION:ACCOUNT:key/ID`.',
      ),
    );
  const flux = root.at('gitops', 'flux');
  for (const key of ['gitProvider', 'flags'])
    if (flux.isWritten && !hasContent(flux.child(key)))
      problems.push(refused(flux, `\`gitops.flux\` has no \`${key}\``, `Set \`gitops.flux.${key}\`.`));
  if (root.at('privateCluster', 'enabled').raw === true)
    for (const name of ['managedNodeGroups', 'nodeGroups'])
      for (const group of root.child(name).items)
        if (
          group.child('privateNetworking').raw !== true &&
          group.child('privateNetworking').boolean.kind !== 'unknown'
        )
          problems.push(
            refused(
              group,
              `group ${group.child('name').label} of a fully private cluster is not in private subnets`,
              'Set `privateNetworking: true`.',
            ),
          );
  return problems;
}

/**
 * Of the endpoints of a fully private cluster that eksctl makes none is for Pod Identity, and it takes no such name for a further one. Source: eksctl,
 * apis/eksctl.io/v1alpha5/endpoint_service.go.
 */
function podIdentityProblems({ root }: ConfigFile): readonly ConfigProblem[] {
  const isMade = !root.at('vpc', 'id').isWritten && !root.at('vpc', 'subnets').isWritten;
  if (
    root.at('privateCluster', 'enabled').raw !== true ||
    root.at('privateCluster', 'skipEndpointCreation').raw === true ||
    !isMade
  )
    return [];
  const addons = root.child('addons').items;
  const user = [
    root.at('iam', 'podIdentityAssociations'),
    ...addons.map((addon) => addon.child('podIdentityAssociations')),
    ...addons.map((addon) => addon.child('useDefaultPodIdentityAssociations')),
    root.at('addonsConfig', 'autoApplyPodIdentityAssociations'),
  ].find(hasContent);
  return user === undefined || user.raw === false
    ? []
    : [
        idle(
          user,
          'in a fully private cluster pods get no credentials by Pod Identity: eksctl makes endpoints for EC2, ECR, S3 and STS, and neither makes nor takes one for `eks-auth`, which the agent on the nodes asks',
          'Make an interface endpoint for `eks-auth` in the VPC that eksctl has made, with private DNS and a security group that lets the nodes in on port 443; or give the roles by `iam.serviceAccounts`, for which the endpoint of STS is there.',
        ),
      ];
}
