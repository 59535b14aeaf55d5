/** What modules and templates around a cluster are called by, and what they are given of it. */
const EKS_WORDS =
  /eks|k8s|kube|cluster|karpenter|irsa|oidc|fargate|service_?account|pod_?identity|addon|(?:^|[^a-z])nodes?(?:[^a-z]|$)/;

/** What makes something else, whatever cluster they make it for, by the end of their names. */
const OTHER_THINGS = new RegExp(
  `(?:^|[-_./])(?:${[
    'vpc|subnets?|network|vpc-endpoints|transit-gateway|vpn|nat|peering|security-group|sg|network-firewall|policy|rule-group|firewall',
    'label|labels|naming|tags|kms|kms-key|acm|dns|route53|zones|records|s3|s3-bucket|bucket|secrets?-manager|ssm-parameter|key-pair',
    'rds|rds-aurora|aurora|dynamodb-table|dynamodb|elasticache|redis|memorydb|opensearch|msk|efs|fsx|documentdb',
    'ec2-instance|bastion|lambda|ecr|ecs|alb|nlb|elb|cloudfront|apigateway|sns|sqs|eventbridge|cloudwatch|cloudtrail|guardduty|waf|budgets?',
    'managed-service-prometheus|managed-service-grafana|route53-logs|flow-logs',
  ].join('|')})$`,
);

/** What belongs to the network itself among them. */
const NETWORK =
  /(?:^|[-_./])(?:vpc|subnets?|network|vpc-endpoints|transit-gateway|vpn|nat|peering|network-firewall|firewall)$/;

/** Whether a module or template may add something to a network that it is given: it isn't for something else by its own name. */
export function mayAddToNetwork(name: string): boolean {
  return !OTHER_THINGS.test(name) || NETWORK.test(name);
}

/** Whether one of some names, in snake case, kebab case or camel case, could be of something of EKS. */
export function speakOfEks(names: readonly string[]): boolean {
  return names.some((name) => EKS_WORDS.test(name.toLowerCase().replaceAll('-', '_')) || EKS_WORDS.test(apart(name)));
}

/** The same, of what a stack is given: databases and queues have clusters, too. */
export function argumentsSpeakOfEks(names: readonly string[]): boolean {
  return speakOfEks(names.map((name) => name.replace(/cluster/gi, '_')));
}

/** Whether a module or template is for something else by its own name. */
export function isOtherThing(name: string): boolean {
  return OTHER_THINGS.test(name);
}

/** `node_group_stack` of `NodeGroupStack`. */
function apart(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/**
 * Whether a template of CloudFormation, which nobody parses, may declare something of EKS, or what may hold it. Its text may be that of JSON or
 * YAML, with escapes.
 */
export function templateMayHoldEks(text: string): boolean {
  const plain = text
    .replace(/\\\r?\n[^\S\n]*/g, '')
    .replace(ESCAPE, (sign, four?: string, two?: string, eight?: string) => {
      const code = Number.parseInt(four ?? two ?? eight ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : sign;
    });
  return EKS_TYPE.test(plain) || MAY_HOLD_MORE.test(plain) || (OF_EKS.test(plain) && AROUND_EKS.test(plain));
}

const ESCAPE = /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|U([\dA-Fa-f]{8}))/g;

const EKS_TYPE = /(?:AWS|AWSQS|Custom)::[\w:-]*?(?:EKS|Eks|Kube|Helm)/;

/** What roles and networks of a cluster speak of, whose types are those of others. */
const AROUND_EKS = /AWS::(?:IAM|EC2)::|Custom::|::CustomResource/;

const OF_EKS = /EKS|Eks|(?<![A-Za-z])eks|[Kk]ube|[Kk]8s|OIDC|[Oo]idc|[Oo]pen_?[Ii][Dd]|[Ww]eb_?[Ii]dentity|[Hh]elm/;

/** Nodes, and what leads to other resources than the text shows. */
const MAY_HOLD_MORE =
  /AWS::(?:EC2::LaunchTemplate|AutoScaling::|CloudFormation::Stack|CloudFormation::Macro|Serverless::Application)|::MODULE\b|\bTransform['"]?\s*:|!Transform|\bType['"]?\s*:\s*['"]?[\w:]*\$\{/;
