import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import type { TerraformStack } from 'cdktf';
import {
  ConstructionError,
  PodIdentityKind,
  VpcCniRole,
  type IOpenIdConnectProvider,
  type VpcCniRoleProps,
} from '../../../constructs/cdktf';
import { newCluster, newStack, resourcesOf, type Arguments } from './stacks';

type Options = Omit<VpcCniRoleProps, 'cluster'>;

function make(options: Options = {}): TerraformStack {
  const stack = newStack();
  new VpcCniRole(stack, 'Cni', { cluster: newCluster(stack), ...options });
  return stack;
}

const roleOf = (stack: TerraformStack): Arguments => {
  const role = Object.values(resourcesOf(stack, 'aws_iam_role')).find(({ description }) =>
    String(description).includes('VPC CNI'),
  );
  if (role === undefined) throw new Error('no role');
  return role;
};

describe('permissions', () => {
  it('are those of both IP families, or of one', () => {
    const policyOf = (options: Options) =>
      String(Object.values(resourcesOf(make(options), 'aws_iam_policy'))[0]?.['policy']);
    expect(policyOf({})).toContain('"ec2:AssignIpv6Addresses","ec2:AssignPrivateIpAddresses"');
    expect(policyOf({})).toContain(
      '"Resource":["arn:${data.aws_partition.EksGuardrailsPartition.partition}:ec2:*:*:network-interface/*"]',
    );
    expect(policyOf({ ipFamilies: ['ipv4'] })).not.toContain('AssignIpv6Addresses');
    expect(() => make({ ipFamilies: [] })).toThrow('Test/Cni: ipFamilies is empty');
  });

  it('are in a managed policy and nowhere else', () => {
    const stack = make({ roleName: 'cni' });
    expect(roleOf(stack)).toMatchObject({ name: 'cni' });
    expect(roleOf(stack)).not.toHaveProperty('inline_policy');
    expect(Object.values(resourcesOf(stack, 'aws_iam_role_policy_attachment'))).toEqual([
      expect.objectContaining({
        role: expect.stringMatching(/^\$\{aws_iam_role\.Cni_Role_/) as string,
        policy_arn: expect.stringMatching(/^\$\{aws_iam_policy\.Cni_Policy_/) as string,
      }),
    ]);
    expect(resourcesOf(stack, 'aws_iam_role_policy')).toEqual({});
  });
});

describe('trust', () => {
  it('of Pod Identity has both actions', () => {
    expect(JSON.parse(String(roleOf(make())['assume_role_policy']))).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'pods.eks.amazonaws.com' },
          Action: ['sts:AssumeRole', 'sts:TagSession'],
        },
      ],
    });
  });

  const arn = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';

  it.each([
    'https://oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF',
    'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF',
  ])('of IRSA names service account and audience exactly, for the issuer %s', (url) => {
    expect(
      JSON.parse(
        String(
          roleOf(make({ identity: PodIdentityKind.IRSA, openIdConnectProvider: { arn, url } }))['assume_role_policy'],
        ),
      ),
    ).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Federated: arn },
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: {
              'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF:aud': 'sts.amazonaws.com',
              'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF:sub': 'system:serviceaccount:kube-system:aws-node',
            },
          },
        },
      ],
    });
  });

  it.each<[string, boolean]>([
    ['that is given', true],
    ["of the stack with the cluster's issuer", false],
  ])('of IRSA takes the provider %s', (_, isGiven) => {
    const stack = newStack();
    const cluster = newCluster(stack);
    new IamOpenidConnectProvider(stack, 'Other', {
      url: newCluster(stack, {}, 'OtherCluster').identity.get(0).oidc.get(0).issuer,
      clientIdList: ['sts.amazonaws.com'],
    });
    const provider: IOpenIdConnectProvider = new IamOpenidConnectProvider(stack, 'Oidc', {
      url: cluster.identity.get(0).oidc.get(0).issuer,
      clientIdList: ['sts.amazonaws.com'],
    });
    new VpcCniRole(stack, 'Cni', {
      cluster,
      identity: PodIdentityKind.IRSA,
      ...(isGiven ? { openIdConnectProvider: provider } : {}),
    });
    const issuer = '${replace(aws_iam_openid_connect_provider.Oidc.url, "https://", "")}';
    expect(roleOf(stack)['assume_role_policy']).toContain(
      `"Principal":{"Federated":"\${aws_iam_openid_connect_provider.Oidc.arn}"},"Action":"sts:AssumeRoleWithWebIdentity","Condition":{"StringEquals":{"${issuer}:aud":"sts.amazonaws.com","${issuer}:sub":"system:serviceaccount:kube-system:aws-node"}}`,
    );
  });

  it("of IRSA takes the provider of the cluster's attributes", () => {
    const stack = newStack();
    new VpcCniRole(stack, 'Cni', {
      cluster: {
        clusterName: 'main',
        openIdConnectProviderArn: arn,
        openIdConnectIssuer: '${module.eks.oidc_provider}',
      },
      identity: PodIdentityKind.IRSA,
    });
    expect(roleOf(stack)['assume_role_policy']).toContain(
      '"${replace(module.eks.oidc_provider, "https://", "")}:aud":',
    );
  });

  it('of IRSA is refused without provider', () => {
    const stack = newStack();
    const refused = () =>
      new VpcCniRole(stack, 'Cni', {
        cluster: { clusterName: 'main', openIdConnectProviderArn: arn },
        identity: PodIdentityKind.IRSA,
      });
    expect(refused).toThrow(ConstructionError);
    expect(() => make({ identity: PodIdentityKind.IRSA })).toThrow(
      "Test/Cni: identity is IRSA, but the cluster's OpenID Connect provider isn't known",
    );
  });
});
