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

/** The same for a node group that has no launch template yet. */
export const LAUNCH_TEMPLATE_CODE = {
  cloudformation: [
    'NodeTemplate:',
    '  Type: AWS::EC2::LaunchTemplate',
    '  Properties:',
    '    LaunchTemplateData:',
    '      MetadataOptions:',
    '        HttpTokens: required',
    '        HttpPutResponseHopLimit: 2',
    '# and in the Properties of a new node group:',
    'LaunchTemplate:',
    '  Id: !Ref NodeTemplate',
    '  Version: !GetAtt NodeTemplate.LatestVersionNumber',
  ].join('\n'),
  'aws-cdk': [
    "const template = new ec2.LaunchTemplate(this, 'NodeTemplate', {",
    '  httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,',
    '  httpPutResponseHopLimit: 2,',
    '});',
    "cluster.addNodegroupCapacity('Workers', {",
    '  launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },',
    '});',
    "// or `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk', which brings such a template",
  ].join('\n'),
  terraform: [
    'resource "aws_launch_template" "nodes" {',
    '  metadata_options {',
    '    http_tokens                 = "required"',
    '    http_put_response_hop_limit = 2',
    '  }',
    '}',
    '# and in a new aws_eks_node_group:',
    'launch_template {',
    '  id      = aws_launch_template.nodes.id',
    '  version = aws_launch_template.nodes.latest_version',
    '}',
  ].join('\n'),
};
