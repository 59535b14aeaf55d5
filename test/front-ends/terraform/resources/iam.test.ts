import type { AttachedPolicy, PolicyDocument, Unknown, Value } from '../../../../lib/eks';
import { InvalidValue } from '../../../../lib/terraform/evaluation/unknowns';
import type { TerraformValue } from '../../../../lib/terraform/terraform-value';
import { show } from '../../cloudformation/reading';
import {
  assumption,
  either,
  instance,
  readOne,
  ref,
  text,
  unknown,
  valueOf,
  type Written,
} from '../../../terraform/instances';

/** What a template with null in it comes to. */
const NULL_IN_TEXT = new InvalidValue('it is null within a text', unknown('').source);

const cluster = instance('aws_eks_cluster.main', { name: 'main' });
const oidc = instance('aws_iam_openid_connect_provider.eks', {
  url: ref(cluster, 'identity[0].oidc[0].issuer'),
  client_id_list: ['sts.amazonaws.com'],
});

/** Statements in one line each: effect, actions, resources, principals and conditions. */
function lines(document: Value<PolicyDocument>): unknown {
  if (document.kind !== 'known') return show(document);
  return document.value.statements.map(({ effect, actions, resources, principals, conditions }) => {
    const who = principals.map(
      ({ type, id, target }) => `${type}=${String(show(id))}${target === undefined ? '' : `->${target.id}`}`,
    );
    const why =
      'kind' in conditions
        ? [`? ${conditions.reason}`]
        : conditions.map(({ operator, key, values }) => `${operator}(${key},${values.map(show).join('|')})`);
    return [show(effect), actions.map(show).join('|'), resources.map(show).join('|'), ...who, ...why]
      .filter((part) => part !== '')
      .join(' ');
  });
}

function policyLines(policies: readonly AttachedPolicy[]): unknown {
  return policies.map((policy) =>
    policy.kind === 'managed' ? show(policy.arn) : [policy.name, lines(policy.document)],
  );
}

const allow = (action: string, id = '') =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ ...(id === '' ? {} : { Sid: id }), Effect: 'Allow', Action: action, Resource: '*' }],
  });

describe('the trust policy of aws_iam_role', () => {
  const trust = (policy: Written, ...others: ReturnType<typeof instance>[]) =>
    lines(
      readOne('role', 'aws_iam_role.it', [
        cluster,
        oidc,
        ...others,
        instance('aws_iam_role.it', { assume_role_policy: policy }),
      ]).trust,
    );

  it('as text', () => {
    const statement = {
      Effect: 'Allow',
      Principal: { Service: ['ec2.amazonaws.com', 'eks.amazonaws.com'] },
      Action: 'sts:AssumeRole',
    };
    expect(trust(JSON.stringify({ Statement: statement }))).toEqual([
      'Allow sts:AssumeRole Service=ec2.amazonaws.com Service=eks.amazonaws.com',
    ]);
  });

  it('as text with unknown parts', () => {
    const issuer = ref(cluster, 'identity[0].oidc[0].issuer');
    const written = text(
      '{"Statement":[{"Effect":"Allow","Principal":{"Federated":"',
      ref(oidc, 'arn'),
      '"},"Action":"sts:AssumeRoleWithWebIdentity","Condition":{"StringEquals":{"',
      issuer,
      ':sub":"system:serviceaccount:a:b"}}}]}',
    );
    expect(trust(written as Unknown)).toEqual([
      'Allow sts:AssumeRoleWithWebIdentity Federated=?${aws_iam_openid_connect_provider.eks.arn}->aws_iam_openid_connect_provider.eks StringEquals(${aws_eks_cluster.main.identity[0].oidc[0].issuer}:sub,system:serviceaccount:a:b)',
    ]);
  });

  it('that is no document', () => {
    expect(trust('hello')).toBe('? it is no policy document');
    expect(trust('{"Statement":')).toBe('? it is a text that is no policy document');
    expect(trust(unknown('var.policy'))).toBe('?${var.policy}');
    expect(trust(null)).toBe('absent');
    expect(trust('{"Statement":["x"]}')).toEqual([
      '? it is no statement ? it is no statement ? it is no statement AWS=? it is no statement ? it is no statement',
    ]);
  });

  it('of a policy document data source', () => {
    const document = instance('data.aws_iam_policy_document.trust', {
      statement: [
        {
          actions: ['sts:AssumeRoleWithWebIdentity'],
          principals: [{ type: 'Federated', identifiers: [ref(oidc, 'arn')] }],
          condition: [
            {
              test: 'StringEquals',
              variable: text(unknown('local.issuer'), ':sub') as Unknown,
              values: ['system:serviceaccount:a:b'],
            },
            { test: 'StringLike', variable: 'a:aud', values: ['&{x}', unknown('var.aud')] },
          ],
        },
        { effect: 'Deny', actions: ['sts:TagSession'], principals: [{ type: '*', identifiers: ['*'] }] },
      ],
    });
    expect(trust(ref(document, 'json'), document)).toEqual([
      'Allow sts:AssumeRoleWithWebIdentity Federated=?${aws_iam_openid_connect_provider.eks.arn}->aws_iam_openid_connect_provider.eks StringEquals(${local.issuer}:sub,system:serviceaccount:a:b) StringLike(a:aud,${x}|?${var.aud})',
      'Deny sts:TagSession *=*',
    ]);
  });

  it.each<[name: string, key: TerraformValue, told: string]>([
    ['that may be null', either('known', 'a:sub', null), 'StringEquals(a:sub,b)'],
    ['that may have null in it', either('known', 'a:sub', NULL_IN_TEXT), 'StringEquals(a:sub,b)'],
    [
      'of one of two issuers',
      either('known', 'a:sub', text(unknown('var.issuer'), ':sub')),
      'StringEquals(${…}:sub,b)',
    ],
    [
      'of one of two claims',
      either('known', 'a:sub', 'a:aud'),
      '? the condition block depends on conditions of the input',
    ],
  ])('of a policy document data source with a key %s', (_, variable, told) => {
    const document = instance('data.aws_iam_policy_document.trust', {
      statement: [{ actions: ['sts:AssumeRole'], condition: [{ test: 'StringEquals', variable, values: ['b'] }] }],
    });
    expect(trust(ref(document, 'json'), document)).toEqual([`Allow sts:AssumeRole ${told}`]);
  });
});

describe('aws_iam_policy_document', () => {
  const document = (attributes: Written, ...others: ReturnType<typeof instance>[]) => {
    const own = instance('data.aws_iam_policy_document.it', attributes);
    const role = instance('aws_iam_role.it', { assume_role_policy: ref(own, 'json') });
    return lines(readOne('role', 'aws_iam_role.it', [own, role, ...others]).trust);
  };
  const statement = (action: string, sid?: string): Written => ({
    actions: [action],
    resources: ['*'],
    ...(sid === undefined ? {} : { sid }),
  });

  it('puts others before its own statements and lets them be replaced by id', () => {
    expect(
      document({
        source_policy_documents: [allow('a:A', 'one'), allow('a:B')],
        statement: [statement('a:C', 'one'), statement('a:D')],
      }),
    ).toEqual(['Allow a:C *', 'Allow a:B *', 'Allow a:D *']);
    expect(
      document({
        override_policy_documents: [allow('a:A', 'one'), allow('a:B')],
        statement: [statement('a:C', 'one'), statement('a:D')],
      }),
    ).toEqual(['Allow a:A *', 'Allow a:D *', 'Allow a:B *']);
    expect(document({ source_json: allow('a:A'), override_json: '', statement: [statement('a:D')] })).toEqual([
      'Allow a:A *',
      'Allow a:D *',
    ]);
  });

  it('follows another one', () => {
    const other = instance('data.aws_iam_policy_document.other', { statement: [statement('a:A')] });
    expect(document({ source_policy_documents: [ref(other, 'json')] }, other)).toEqual(['Allow a:A *']);
  });

  it('that leads to itself', () => {
    const attributes = new Map<string, Written>();
    const own = {
      ...instance('data.aws_iam_policy_document.it', {}),
      get attributes() {
        return valueOf({ source_policy_documents: [attributes.get('json') ?? ''] });
      },
    };
    attributes.set('json', ref(own, 'json'));
    const role = instance('aws_iam_role.it', { assume_role_policy: ref(own, 'json') });
    expect(lines(readOne('role', 'aws_iam_role.it', [own, role]).trust)).toBe('? it refers to itself');
  });

  it('with parts that are not known', () => {
    expect(document({ statement: unknown('var.statements') })).toBe('?${var.statements}');
    expect(document({ source_policy_documents: [unknown('var.other')], statement: [statement('a:A')] })).toBe(
      '?${var.other}',
    );
    expect(document({ statement: [statement('a:A'), unknown('dynamic')] })).toBe(
      "? one of its statements can't be read: dynamic has no default",
    );
    expect(
      document({ source_json: allow('a:A', 'one'), statement: [{ sid: unknown('var.sid'), actions: ['a:B'] }] }),
    ).toBe("? the ids of the statements of data.aws_iam_policy_document.it aren't known");
    expect(document({ statement: [{ actions: ['a:A'], resources: ['*'], condition: unknown('dynamic') }] })).toEqual([
      'Allow a:A * ? dynamic has no default',
    ]);
  });

  it('has one condition of blocks with the same test and variable, as the provider writes it', () => {
    const condition = (test: string, variable: string, ...values: readonly string[]): Written => ({
      test,
      variable,
      values,
    });
    const blocks = [
      condition('StringEquals', 'i:sub', 'a', 'b'),
      condition('StringEquals', 'i:aud', 'c'),
      condition('StringEquals', 'i:sub', 'd'),
      condition('StringLike', 'i:sub', 'e'),
    ];
    expect(document({ statement: [{ actions: ['a:A'], condition: blocks }] })).toEqual([
      'Allow a:A StringEquals(i:sub,a|b|d) StringEquals(i:aud,c) StringLike(i:sub,e)',
    ]);
  });

  it('with statements under a condition', () => {
    const own = instance('data.aws_iam_policy_document.it', {
      statement: either('prod', [statement('a:A')], [statement('a:B')]),
    });
    const { trust } = readOne('role', 'aws_iam_role.it', [
      own,
      instance('aws_iam_role.it', { assume_role_policy: ref(own, 'json') }),
    ]);
    expect(trust.kind === 'choice' && trust.alternatives.map(({ when, value }) => [when.text, lines(value)])).toEqual([
      ['prod is true', ['Allow a:A *']],
      ['prod is false', ['Allow a:B *']],
    ]);
  });
});

describe('the policies of aws_iam_role', () => {
  const role = instance('aws_iam_role.it', { name: 'it' });
  const policy = instance('aws_iam_policy.own', { name: 'own', policy: allow('a:A') });
  const policies = (...others: ReturnType<typeof instance>[]) =>
    policyLines(readOne('role', 'aws_iam_role.it', [policy, role, ...others]).policies);

  it('that it has itself', () => {
    const own = instance('aws_iam_role.it', {
      managed_policy_arns: ['arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy', ref(policy, 'arn'), unknown('var.arn')],
      inline_policy: [{ name: 'n', policy: allow('a:B') }, { name: null, policy: null }, { policy: allow('a:C') }],
    });
    expect(policyLines(readOne('role', 'aws_iam_role.it', [policy, own]).policies)).toEqual([
      ['n', ['Allow a:B *']],
      ['inline policy', ['Allow a:C *']],
      'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
      ['aws_iam_policy.own', ['Allow a:A *']],
      '?${var.arn}',
    ]);
  });

  it.each<[Written]>([[ref(role, 'name')], [ref(role, 'id')], ['it']])('that are attached to it by %#', (by) => {
    expect(
      policies(
        instance('aws_iam_role_policy.x', { role: by, policy: allow('a:B') }),
        instance('aws_iam_role_policy_attachment.x', {
          role: by,
          policy_arn: 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
        }),
        instance('aws_iam_role_policy_attachment.y', { role: by, policy_arn: ref(policy, 'arn') }),
        instance('aws_iam_policy_attachment.z', {
          roles: ['another', by],
          policy_arn: 'arn:aws:iam::111122223333:policy/path/own',
        }),
        instance('aws_iam_role_policy_attachment.other', { role: 'another', policy_arn: ref(policy, 'arn') }),
      ),
    ).toEqual([
      ['aws_iam_role_policy.x', ['Allow a:B *']],
      'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
      ['aws_iam_policy.own', ['Allow a:A *']],
      ['aws_iam_policy.own', ['Allow a:A *']],
    ]);
  });

  it.each<[string, Written]>([
    ['aws_iam_policy_attachment', { role: 'it' }],
    ['aws_iam_role_policy_attachment', { roles: ['it'] }],
  ])('that are attached by the name of the argument of the other type: %s', (type, by) => {
    const written = { ...(by as Record<string, Written>), policy_arn: ref(policy, 'arn') };
    expect(policies(instance(`${type}.x`, written))).toEqual([['aws_iam_policy.own', ['Allow a:A *']]]);
  });

  it('that are attached to a role which nothing declares may be meant for one of the same module', () => {
    const attachment = instance('aws_iam_role_policy_attachment.x', {
      role: unknown('aws_iam_role.others.name'),
      policy_arn: ref(policy, 'arn'),
    });
    const doubt = ['aws_iam_role_policy_attachment.x', expect.stringContaining('?')];
    expect(policies(attachment)).toEqual([doubt]);
    expect(
      policies({ ...attachment, address: 'module.a.aws_iam_role_policy_attachment.x', module: 'module.a' }),
    ).toEqual([]);
    expect(
      policies(
        instance('aws_iam_role_policy_attachment.x', { role: unknown('var.role'), policy_arn: ref(policy, 'arn') }),
      ),
    ).toEqual([
      ['aws_iam_role_policy_attachment.x', "? whether aws_iam_role_policy_attachment.x is for it isn't known"],
    ]);
  });

  it('that are attached by an ARN with the name of a policy at its end', () => {
    const partition = ref(instance('data.aws_partition.here', {}), 'partition');
    const arn = text('arn:', partition, ':iam::111122223333:policy/own/', ref(policy, 'name'));
    const attached = (policy_arn: Written) =>
      policies(instance('aws_iam_role_policy_attachment.x', { role: 'it', policy_arn }));
    expect(attached(arn)).toEqual([['aws_iam_policy.own', ['Allow a:A *']]]);
    expect(attached(text('arn:', partition, ':s3:::', ref(policy, 'name')))).not.toContainEqual(expect.any(Array));
  });

  it('that are listed as all that are attached to it', () => {
    const attachment = instance('aws_iam_role_policy_attachment.x', {
      role: 'it',
      policy_arn: 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
    });
    const all = instance('aws_iam_role_policy_attachments_exclusive.x', {
      role_name: ref(role, 'name'),
      policy_arns: [
        'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
        'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
        ref(policy, 'arn'),
        unknown('var.arn'),
      ],
    });
    expect(policies(attachment, all)).toEqual([
      'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
      'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
      ['aws_iam_policy.own', ['Allow a:A *']],
      '?${var.arn}',
    ]);
    expect(
      policies(
        instance('aws_iam_role_policy_attachments_exclusive.x', {
          role_name: 'another',
          policy_arns: ['arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy'],
        }),
      ),
    ).toEqual([]);
  });

  it('that are listed as all inline policies', () => {
    const inline = instance('aws_iam_role_policy.x', { name: 'own', role: 'it', policy: allow('a:B') });
    const unnamed = instance('aws_iam_role_policy.y', { role: 'it', policy: allow('a:C') });
    const all = instance('aws_iam_role_policies_exclusive.x', {
      role_name: 'it',
      policy_names: ['own', ref(unnamed, 'name'), 'elsewhere'],
    });
    expect(policies(inline, unnamed, all)).toEqual([
      ['aws_iam_role_policy.x', ['Allow a:B *']],
      ['aws_iam_role_policy.y', ['Allow a:C *']],
      ['elsewhere', '? inline policy elsewhere is not part of the input'],
    ]);
    const withInline = instance('aws_iam_role.it', {
      name: 'it',
      inline_policy: [{ name: 'elsewhere', policy: allow('a:D') }],
    });
    expect(policyLines(readOne('role', 'aws_iam_role.it', [withInline, all]).policies)).toContainEqual([
      'elsewhere',
      ['Allow a:D *'],
    ]);
  });

  it('that a data source finds by name', () => {
    const lookup = instance('data.aws_iam_policy.cni', { name: 'AmazonEKS_CNI_Policy' });
    const unheard = instance('data.aws_iam_policy.own', { name: 'unheard-of' });
    const byPath = instance('data.aws_iam_policy.ebs', {
      name: 'AmazonEBSCSIDriverPolicy',
      path_prefix: '/service-role/',
    });
    const anyPath = instance('data.aws_iam_policy.efs', { name: 'AmazonEFSCSIDriverPolicy' });
    expect(
      policies(
        lookup,
        unheard,
        byPath,
        anyPath,
        instance('aws_iam_role_policy_attachment.x', { role: 'it', policy_arn: ref(lookup, 'arn') }),
        instance('aws_iam_role_policy_attachment.y', { role: 'it', policy_arn: ref(unheard, 'arn') }),
        instance('aws_iam_role_policy_attachment.z', { role: 'it', policy_arn: ref(byPath, 'arn') }),
        instance('aws_iam_role_policy_attachment.a', { role: 'it', policy_arn: ref(anyPath, 'id') }),
      ),
    ).toEqual([
      'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
      '?${data.aws_iam_policy.own.arn}',
      'arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy',
      'arn:aws:iam::aws:policy/service-role/AmazonEFSCSIDriverPolicy',
    ]);
  });

  it('each once, although a plan lists them in the role too', () => {
    const arn = 'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy';
    const planned = instance('aws_iam_role.it', {
      name: 'it',
      managed_policy_arns: [arn],
      inline_policy: [{ name: 'n', policy: allow('a:B') }],
    });
    const found = readOne('role', 'aws_iam_role.it', [
      planned,
      instance('aws_iam_role_policy.x', { name: 'n', role: 'it', policy: allow('a:B') }),
      instance('aws_iam_role_policy_attachment.x', { role: 'it', policy_arn: arn }),
    ]);
    expect(policyLines(found.policies)).toEqual([['aws_iam_role_policy.x', ['Allow a:B *']], arn]);
  });

  it('that are attached under a condition', () => {
    const when = assumption('prod', true);
    const found = readOne('role', 'aws_iam_role.it', [
      policy,
      role,
      instance('aws_iam_role_policy_attachment.x', { role: 'it', policy_arn: ref(policy, 'arn') }, { exists: when }),
    ]).policies;
    const [only] = found;
    expect(
      only?.kind === 'document' &&
        only.document.kind === 'choice' &&
        only.document.alternatives.map(({ when: one, value }) => [one.text, lines(value)]),
    ).toEqual([
      ['prod is true', ['Allow a:A *']],
      ['prod is false', 'absent'],
    ]);
  });
});
