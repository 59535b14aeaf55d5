/**
 * A whole trust policy for the tokens of one service account, in Terraform, with places for `provider`, `issuer` and `subject`.
 * @param kept statements that stand before it, each with a comma behind. @default - none
 */
export function webIdentityTrust(kept = ''): string {
  return [
    'assume_role_policy = jsonencode({',
    '  Version = "2012-10-17"',
    `  Statement = [${kept}{`,
    '    Effect    = "Allow"',
    '    Action    = "sts:AssumeRoleWithWebIdentity"',
    '    Principal = { Federated = {{provider}} }',
    '    Condition = {',
    '      StringEquals = {',
    '        "{{issuer}}:aud" = "sts.amazonaws.com"',
    '        "{{issuer}}:sub" = "{{subject}}"',
    '      }',
    '    }',
    '  }]',
    '})',
  ].join('\n');
}

/** The trust of one service account in the languages that fixes are written in, with places for what each of them says. */
export const subjectCode = {
  cloudformation: [
    '# keys can only be built as JSON text',
    'AssumeRolePolicyDocument:',
    '  Fn::Sub:',
    '    - |',
    '      {',
    '        "Version": "2012-10-17",',
    '        "Statement": [{',
    '          "Effect": "Allow",',
    '          "Action": "sts:AssumeRoleWithWebIdentity",',
    '          "Principal": { "Federated": "arn:${AWS::Partition}:iam::${AWS::AccountId}:oidc-provider/${OIDC}" },',
    '          "Condition": { "StringEquals": {',
    '            "${OIDC}:aud": "sts.amazonaws.com",',
    '            "${OIDC}:sub": "{{subject}}"',
    '          } }',
    '        }]',
    '      }',
    '    - OIDC: {{issuerInTemplate}}',
  ].join('\n'),
  'aws-cdk': [
    "const issuer = Fn.select(1, Fn.split('//', {{clusterInCdk}}.clusterOpenIdConnectIssuerUrl));",
    "const claims = new CfnJson(this, 'Claims', {",
    '  value: {',
    "    [`${issuer}:aud`]: 'sts.amazonaws.com',",
    "    [`${issuer}:sub`]: '{{subject}}',",
    '  },',
    '});',
    '// in the options of the Role:',
    'assumedBy: new iam.OpenIdConnectPrincipal({{clusterInCdk}}.openIdConnectProvider, { StringEquals: claims }),',
  ].join('\n'),
  terraform: webIdentityTrust(),
} as const;

/** The same for a subject with a wildcard. */
export const patternCode = {
  cloudformation: subjectCode.cloudformation.replace(
    /"sts.amazonaws.com",\n.*\{\{subject\}\}"\n *\} \}/,
    '"sts.amazonaws.com"\n          }, "StringLike": {\n            "${OIDC}:sub": "{{pattern}}"\n          } }',
  ),
  'aws-cdk': subjectCode['aws-cdk']
    .replace(/\n {4}\[`\$\{issuer\}:sub`\].*/, '')
    .replace(
      '\n// in the options',
      "\nconst subjects = new CfnJson(this, 'Subjects', { value: { [`${issuer}:sub`]: '{{pattern}}' } });\n// in the options",
    )
    .replace('{ StringEquals: claims }', '{ StringEquals: claims, StringLike: subjects }'),
  terraform: subjectCode.terraform.replace(
    '        "{{issuer}}:sub" = "{{subject}}"\n      }',
    '      }\n      StringLike = {\n        "{{issuer}}:sub" = "{{pattern}}"\n      }',
  ),
} as const;
