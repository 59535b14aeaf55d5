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
