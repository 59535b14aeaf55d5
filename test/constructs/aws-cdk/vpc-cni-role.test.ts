import { Validations, type Stack } from 'aws-cdk-lib';
import { ConstructionError, PodIdentityKind, VpcCniRole } from '../../../constructs/aws-cdk';
import {
  customCluster,
  importedCluster,
  nativeCluster,
  newStack,
  OIDC_PROVIDER_ARN,
  resourceOf,
  resourcesOf,
  textOf,
} from './clusters';

interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource?: unknown;
  readonly Principal?: Readonly<Record<string, unknown>>;
  readonly Condition?: unknown;
}

function statementsOf(document: unknown): Statement[] {
  return (document as { Statement: Statement[] }).Statement;
}

function cniRole(stack: Stack) {
  const role = resourcesOf(stack, 'AWS::IAM::Role').find((candidate) =>
    String(candidate.Properties.Description).includes('VPC CNI'),
  );
  if (role === undefined) throw new Error('no role');
  return role;
}

describe('permissions', () => {
  it('are those of both IP families', () => {
    const stack = newStack();
    new VpcCniRole(stack, 'Role', { cluster: nativeCluster(stack) });
    const [network, tags] = statementsOf(resourceOf(stack, 'AWS::IAM::ManagedPolicy').Properties.PolicyDocument);
    expect(network?.Action).toEqual(
      expect.arrayContaining([
        'ec2:AssignPrivateIpAddresses',
        'ec2:AssignIpv6Addresses',
        'ec2:DescribeSubnets',
        'ec2:DescribeSecurityGroups',
      ]),
    );
    expect(tags?.Action).toBe('ec2:CreateTags');
    expect(textOf(tags?.Resource)).toBe('arn:${AWS::Partition}:ec2:*:*:network-interface/*');
  });

  it('can be those of one family', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    new VpcCniRole(stack, 'Role', { cluster, ipFamilies: ['ipv4'] });
    expect(JSON.stringify(resourceOf(stack, 'AWS::IAM::ManagedPolicy'))).not.toContain('AssignIpv6Addresses');
    expect(() => new VpcCniRole(stack, 'None', { cluster, ipFamilies: [] })).toThrow('Test/None: ipFamilies is empty');
  });

  it('are in a managed policy and nowhere else', () => {
    const stack = newStack();
    new VpcCniRole(stack, 'Cni', { cluster: nativeCluster(stack), roleName: 'cni' });
    expect(cniRole(stack).Properties).toMatchObject({
      RoleName: 'cni',
      ManagedPolicyArns: [{ Ref: expect.stringMatching(/^CniPolicy/) as string }],
    });
    expect(cniRole(stack).Properties.Policies).toBeUndefined();
    expect(resourcesOf(stack, 'AWS::IAM::Policy')).toEqual([]);
  });
});

describe('trust', () => {
  it('of Pod Identity has both actions', () => {
    const stack = newStack();
    const role = new VpcCniRole(stack, 'Role', { cluster: nativeCluster(stack) });
    expect(role.identity).toBe(PodIdentityKind.POD_IDENTITY);
    expect(statementsOf(cniRole(stack).Properties.AssumeRolePolicyDocument)).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'pods.eks.amazonaws.com' },
        Action: ['sts:AssumeRole', 'sts:TagSession'],
      },
    ]);
  });

  it.each([
    ['aws-eks', (stack: Stack) => customCluster(stack)],
    ['aws-eks-v2', (stack: Stack) => nativeCluster(stack)],
  ])('of IRSA in an %s cluster names service account and audience exactly', (_, make) => {
    const stack = newStack();
    new VpcCniRole(stack, 'Role', { cluster: make(stack), identity: PodIdentityKind.IRSA });
    const [statement] = statementsOf(cniRole(stack).Properties.AssumeRolePolicyDocument);
    expect(statement).toMatchObject({
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: { StringEquals: { 'Fn::GetAtt': [expect.stringMatching(/TrustConditions/) as string, 'Value'] } },
    });
    const issuer = '<issuer>';
    const conditions = JSON.stringify(resourceOf(stack, 'Custom::AWSCDKCfnJson').Properties.Value).replaceAll(
      /\{"Fn::Select".*?\]\}\]\}/g,
      `"${issuer}"`,
    );
    expect(conditions).toContain(':aud\\":\\"sts.amazonaws.com\\"');
    expect(conditions).toContain(':sub\\":\\"system:serviceaccount:kube-system:aws-node\\"');
  });

  it.each(['aws-eks', 'aws-eks-v2'] as const)(
    'of IRSA in an imported %s cluster needs no custom resource',
    (module) => {
      const stack = newStack();
      new VpcCniRole(stack, 'Role', {
        cluster: importedCluster(stack, module, { complete: true }),
        identity: PodIdentityKind.IRSA,
      });
      const issuer = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';
      expect(statementsOf(cniRole(stack).Properties.AssumeRolePolicyDocument)).toEqual([
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRoleWithWebIdentity',
          Principal: { Federated: OIDC_PROVIDER_ARN },
          Condition: {
            StringEquals: {
              [`${issuer}:aud`]: 'sts.amazonaws.com',
              [`${issuer}:sub`]: 'system:serviceaccount:kube-system:aws-node',
            },
          },
        },
      ]);
      expect(resourcesOf(stack, 'Custom::AWSCDKCfnJson')).toEqual([]);
    },
  );

  it.each(['aws-eks', 'aws-eks-v2'] as const)(
    'of IRSA is refused for an imported %s cluster without provider',
    (module) => {
      const stack = newStack();
      const make = () =>
        new VpcCniRole(stack, 'Role', { cluster: importedCluster(stack, module), identity: PodIdentityKind.IRSA });
      expect(make).toThrow(ConstructionError);
      expect(
        () =>
          new VpcCniRole(stack, 'Other', {
            cluster: importedCluster(stack, module, {}, 'Again'),
            identity: PodIdentityKind.IRSA,
          }),
      ).toThrow('Test/Other: identity is IRSA, but the imported cluster has no openIdConnectProvider');
    },
  );
});

describe('acknowledgements for cdk-nag', () => {
  afterEach(() => jest.restoreAllMocks());

  /** Makes CDK refuse every acknowledgement with an error of this text. */
  function refuseAcknowledgements(text: string): void {
    jest.spyOn(Validations.prototype, 'acknowledge').mockImplementation(() => {
      throw new Error(text);
    });
  }

  it('are left out where CDK refuses their ids, as it does before 2.269', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    refuseAcknowledgements("InvalidValidationId: 'AwsSolutions-IAM5[Resource::*]' is no id");
    expect(() => new VpcCniRole(stack, 'Role', { cluster })).not.toThrow();
    expect(cniRole(stack)).toBeDefined();
  });

  it('hide no other error', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    refuseAcknowledgements('the tree is locked');
    expect(() => new VpcCniRole(stack, 'Role', { cluster })).toThrow('the tree is locked');
  });
});
