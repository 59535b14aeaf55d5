import type { EksResource } from '../../../lib/eks';
import { AnswerNode } from '../../../lib/front-ends/live/answer-node';
import { answerIn } from '../../../lib/front-ends/live/answers';
import { LIVE } from '../../../lib/front-ends/live/dialects';
import { Dump, type Answer } from '../../../lib/front-ends/live/dump';
import { KINDS_ASKED } from '../../../lib/front-ends/live/gaps';
import { resourcesOf } from '../../../lib/front-ends/live/resources';
import { parseDocument } from '../../../lib/languages';

/** Answers by the names of their files. */
export type Files = Readonly<Record<string, unknown>>;

const ACCOUNT = '111122223333';
const REGION = 'eu-west-1';

export function arn(service: string, rest: string): string {
  return `arn:aws:${service}:${service === 'iam' ? '' : REGION}:${ACCOUNT}:${rest}`;
}

/** What a folder of answers tells. */
export function resourcesIn(files: Files): readonly EksResource[] {
  const answers = Object.entries(files).map(([name, content]): Answer => {
    const file = `dump/${name}`;
    const text = JSON.stringify(content, undefined, 4);
    const key = answerIn(text);
    if (key === undefined) throw new Error(`nobody knows ${name}`);
    return { key, file, root: AnswerNode.root(parseDocument(text, file, false), file) };
  });
  return resourcesOf(new Dump(answers, LIVE));
}

/** A cluster as EKS answers it, with what is given in place of the usual. */
export function clusterAnswer(name: string, given: object = {}): Files {
  return {
    'cluster.json': {
      cluster: {
        name,
        arn: arn('eks', `cluster/${name}`),
        version: '1.34',
        roleArn: arn('iam', 'role/cluster'),
        resourcesVpcConfig: { subnetIds: [], securityGroupIds: [], clusterSecurityGroupId: 'sg-0c000000000000001' },
        kubernetesNetworkConfig: { serviceIpv4Cidr: '172.20.0.0/16', ipFamily: 'ipv4' },
        identity: { oidc: { issuer: `https://oidc.eks.${REGION}.amazonaws.com/id/AAAA` } },
        status: 'ACTIVE',
        accessConfig: { authenticationMode: 'API_AND_CONFIG_MAP' },
        upgradePolicy: { supportType: 'EXTENDED' },
        ...given,
      },
    },
  };
}

/** Lists in which nothing is, so that it is known that there is nothing; what is given stands in their place. */
export function emptyLists(given: Files = {}): Files {
  return {
    'nodegroups.json': { nodegroups: [] },
    'addons.json': { addons: [] },
    'pod-identity-associations.json': { associations: [] },
    'access-entries.json': { accessEntries: [] },
    'fargate-profiles.json': { fargateProfileNames: [] },
    'oidc-providers.json': { OpenIDConnectProviderList: [] },
    ...objectLists([]),
    ...given,
  };
}

/** Objects as kubectl lists them, with what `collect` writes down of it. */
export function objectLists(objects: readonly object[]): Files {
  return {
    'kubectl-objects.json': {
      apiVersion: 'v1',
      items: objects,
      kind: 'List',
      metadata: { resourceVersion: '4711' },
    },
    'eks-guardrails-dump.json': {
      eksGuardrailsDump: 1,
      cluster: '',
      region: REGION,
      at: '2026-08-24T05:12:09Z',
      calls: KINDS_ASKED.map((kind) => ({
        file: 'kubectl-objects.json',
        call: `kubectl get ${kind} --all-namespaces`,
      })),
    },
  };
}

/** A role, of which all is known. */
export function roleAnswers(name: string, service: string, policies: readonly string[], trust?: object): Files {
  return {
    [`role-${name}.json`]: {
      Role: {
        Path: '/',
        RoleName: name,
        Arn: arn('iam', `role/${name}`),
        AssumeRolePolicyDocument: trust ?? {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Principal: { Service: service }, Action: ['sts:AssumeRole', 'sts:TagSession'] },
          ],
        },
      },
    },
    [`role-${name}.attached-policies.json`]: {
      AttachedPolicies: policies.map((policy) => ({
        PolicyName: policy,
        PolicyArn: `arn:aws:iam::aws:policy/${policy}`,
      })),
    },
    [`role-${name}.inline-policies.json`]: { PolicyNames: [] },
  };
}
