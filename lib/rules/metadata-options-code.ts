/** What to write in a launch template so that nodes answer their pods, and only with a token: the fix of several rules. */
export const METADATA_OPTIONS_CODE = {
  cloudformation: ['MetadataOptions:', '  HttpTokens: required', '  HttpPutResponseHopLimit: 2'].join('\n'),
  'aws-cdk': [
    "new ec2.LaunchTemplate(this, 'NodeTemplate', {",
    '  httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED, // `requireImdsv2` alone leaves the hop limit open',
    '  httpPutResponseHopLimit: 2,',
    '});',
    "// or `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk', which declares both",
  ].join('\n'),
  terraform: ['metadata_options {', '  http_tokens                 = "required"', '  http_put_response_hop_limit = 2', '}'].join('\n'),
};
