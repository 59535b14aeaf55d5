import { defineRule } from '../../engine';
import {
  Absent,
  flatMapCases,
  flatMapValue,
  Known,
  under,
  Unknown,
  whereExists,
  launchesByResource,
  type Image,
  type Launch,
  type LaunchTemplate,
  type Plain,
  type Value,
} from '../../eks';
import { judgeLaunches, passing, unseenTemplate, type LaunchOutcome } from '../parts/launch-judgements';
import { presenceOf } from '../parts/presence';

/*
 * EKS makes its own launch template out of the user's and the node group. What the group decides, or the Auto Scaling group
 * behind it, may not stand in the user's template; EKS finds that only when the group is created or updated.
 * Source: EKS API, LaunchTemplateSpecification; EKS user guide, "Customize managed nodes with launch templates".
 */

const REFUSED = 'so creating or updating the node group fails.';

export const launchTemplateForbiddenField = defineRule<Message>({
  id: 'launch-template-forbidden-field',
  subject: 'launch-template',
  title: 'Launch templates of managed node groups leave out what EKS decides itself',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    instanceProfile: {
      text: `{{where}} sets instance profile \`{{value}}\`. The role of managed nodes comes from the node group and EKS refuses a template that brings one, ${REFUSED}`,
      fix: {
        // A group in CloudFormation or Terraform always names a role; the construct of the AWS CDK makes one where none is given.
        summary:
          'Leave the instance profile out of the template: nodes take the role of the node group, which needs whatever permissions the other role gave them.',
        safety: 'safe',
        repairs: [{ kind: 'remove', field: 'instanceProfile' }],
      },
    },
    subnet: {
      text: `{{where}} puts a network interface into subnet \`{{value}}\`. The subnets of managed nodes come from the node group and EKS refuses a template that names one, ${REFUSED}`,
      fix: {
        summary: 'Leave the subnet out of the network interface: nodes start in the subnets that the node group lists.',
        safety: 'safe',
        repairs: [{ kind: 'remove', field: 'networkInterfaces.subnet' }],
      },
    },
    shutdownBehavior: {
      text: `{{where}} sets the shutdown behavior to \`{{value}}\`. EKS controls the life of managed instances and refuses a template that does, ${REFUSED}`,
      fix: {
        summary:
          'Leave the shutdown behavior out of the template: managed nodes are terminated when EKS replaces them.',
        safety: 'safe',
        repairs: [{ kind: 'remove', field: 'shutdownBehavior' }],
      },
    },
    hibernation: {
      text: `{{where}} configures its instances for hibernation. EKS controls the life of managed instances and refuses a template with hibernation options, ${REFUSED}`,
      fix: {
        summary: 'Leave the hibernation options out of the template.',
        safety: 'safe',
        repairs: [{ kind: 'remove', field: 'hibernation' }],
      },
    },
    instanceRequirements: {
      text: `{{where}} selects instances by requirements such as CPU and memory. Managed node groups take a list of instance types only and EKS refuses such a template, ${REFUSED}`,
      fix: {
        summary:
          'List up to 20 instance types in the node group instead, or use Karpenter or EKS Auto Mode, which select by requirements.',
        code: {
          terraform: [
            '# in the node group, instead of instance_requirements in the template',
            'instance_types = ["m7i.large", "m6i.large", "m6a.large"]',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    spot: {
      text: `{{where}} asks for Spot instances. Whether managed nodes are Spot is for the node group to say, and EKS answers "Instance market options are not supported with the launch template", ${REFUSED}`,
      fix: {
        summary: 'Leave the market options out of the template, and set the capacity type of the node group.',
        code: {
          cloudformation: [
            '# in the LaunchTemplateData, without InstanceMarketOptions:',
            '# in the Properties of the node group:',
            'CapacityType: SPOT',
          ].join('\n'),
          'aws-cdk': [
            '// in the options of the LaunchTemplate, without spotOptions:',
            '// in the options of the node group:',
            'capacityType: eks.CapacityType.SPOT,',
          ].join('\n'),
          terraform: [
            '# in the node group, instead of instance_market_options in the template',
            'capacity_type = "SPOT"',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    imageLookup: {
      text: `{{where}} names its AMI as \`resolve:ssm:{{value}}\`, for EC2 to look up when it launches an instance. Managed node groups take AMI ids only, ${REFUSED}`,
      fix: {
        summary:
          'Let the parameter be looked up at deployment, or leave the AMI to EKS and set the AMI type of the node group.',
        code: {
          cloudformation: "ImageId: '{{resolve:ssm:{{value}}}}'",
          'aws-cdk':
            "machineImage: ec2.MachineImage.fromSsmParameter('{{value}}'), // instead of resolveSsmParameterAtLaunch",
          terraform: [
            'data "aws_ssm_parameter" "ami" {',
            '  name = "{{value}}"',
            '}',
            '# in the launch template',
            'image_id = data.aws_ssm_parameter.ami.value',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeLaunches(launchesByResource(model), judgeLaunch);
  },
});

type Message =
  | 'instanceProfile'
  | 'subnet'
  | 'shutdownBehavior'
  | 'hibernation'
  | 'instanceRequirements'
  | 'spot'
  | 'imageLookup';
type Outcome = LaunchOutcome<Message>;

interface Field {
  readonly message: Message;
  /** What the template may not ask for, for a reader. */
  readonly name: string;
  /** What EKS refuses, if it is set; absent where it is allowed. */
  readonly refusedIn: (template: LaunchTemplate) => readonly Value<string | true>[];
}

const FIELDS: readonly Field[] = [
  { message: 'instanceProfile', name: 'an instance profile', refusedIn: (template) => [template.instanceProfile] },
  {
    message: 'subnet',
    name: 'a subnet',
    refusedIn: (template) => template.networkInterfaces.map(({ subnet }) => subnet),
  },
  { message: 'shutdownBehavior', name: 'a shutdown behavior', refusedIn: (template) => [template.shutdownBehavior] },
  {
    message: 'hibernation',
    name: 'hibernation',
    refusedIn: (template) => [flatMapValue(template.hibernation, hibernationIn)],
  },
  {
    message: 'instanceRequirements',
    name: 'instance requirements',
    refusedIn: (template) => [template.instanceRequirements],
  },
  { message: 'spot', name: 'Spot instances', refusedIn: (template) => [flatMapValue(template.marketType, spotIn)] },
  {
    message: 'imageLookup',
    name: 'an AMI that EC2 looks up',
    refusedIn: (template) => [flatMapValue(template.imageId, lookupIn)],
  },
];

/** What is switched off is nothing that EKS is known to refuse. */
function hibernationIn(configured: Plain<boolean>): Plain<true> {
  if (configured.kind === 'known')
    return configured.value ? new Known<true>(true, configured.source) : new Absent(configured.source);
  // What counts is the value, not that there is one.
  return configured.kind === 'unknown' ? new Unknown(configured.reason, configured.source) : configured;
}

/** Other market types are for capacity that was bought before; `capacity-block` is what Capacity Blocks need. */
function spotIn(marketType: Plain<string>): Plain<string> {
  if (marketType.kind === 'known')
    return marketType.value.toLowerCase() === 'spot' ? marketType : new Absent(marketType.source);
  // What counts is the value, not that there is one.
  return marketType.kind === 'unknown' ? new Unknown(marketType.reason, marketType.source) : marketType;
}

/** An AMI that isn't known is an id: what CloudFormation or Terraform looks up has this form. */
function lookupIn(image: Plain<Image>): Plain<string> {
  return image.kind === 'known' && image.value.resolvedAtLaunch === true
    ? new Known(image.value.text, image.source)
    : new Absent(image.source);
}

function judgeLaunch(launch: Launch): readonly Outcome[] {
  const { template, when } = launch;
  if (template.kind === 'unknown') return [unseenTemplate(template, when)];
  if (template.kind === 'absent') return [];
  const outcomes = FIELDS.flatMap((field) =>
    field
      .refusedIn(template.value)
      .flatMap((value) => (value.kind === 'absent' ? [] : judgeField(field, value, launch))),
  );
  return outcomes.length === 0 ? passing(when) : outcomes;
}

function judgeField(
  { message, name }: Field,
  value: Value<string | true>,
  { nodeGroup, when: given }: Launch,
): readonly Outcome[] {
  return flatMapCases(
    { plain: under(given, whereExists(nodeGroup, value)) },
    ({ plain }, caseWhen): readonly Outcome[] => {
      const when = given.and(caseWhen);
      if (when === undefined) return [];
      const presence = presenceOf(plain);
      if (presence === 'unset') return passing(when);
      const place = { when, source: plain.source };
      if (presence === 'set')
        return [{ ...place, verdict: 'fail', message, data: { value: shown(plain) }, about: shown(plain) }];
      return [
        {
          ...place,
          verdict: 'unverifiable',
          reason: `whether it asks for ${name} isn't known: ${plain.kind === 'unknown' ? plain.reason : ''}`,
        },
      ];
    },
  );
}

function shown(plain: Plain<string | true>): string {
  if (plain.kind === 'known') return String(plain.value);
  return plain.kind === 'unknown' ? (plain.text ?? '') : '';
}
