import type { Release } from '../../terraform/module/version-constraint';

/** Names from a resource down to a setting; `*` is the item of a list that the finding is about. */
type FieldPath = readonly string[];
type Fields = Readonly<Record<string, FieldPath>>;

/** By type, below `Properties`. Source: the AWS CloudFormation resource reference. */
const CLOUDFORMATION: Readonly<Record<string, Fields>> = {
  'AWS::EKS::Addon': {
    preserveOnDelete: ['PreserveOnDelete'],
    resolveConflictsOnUpdate: ['ResolveConflicts'],
    configuration: ['ConfigurationValues'],
  },
  'AWS::EKS::Nodegroup': { amiType: ['AmiType'], 'launchTemplate.name': ['LaunchTemplate', 'Name'] },
  'AWS::EC2::LaunchTemplate': below(['LaunchTemplateData'], {
    'metadata.httpEndpoint': ['MetadataOptions', 'HttpEndpoint'],
    'metadata.httpTokens': ['MetadataOptions', 'HttpTokens'],
    'metadata.hopLimit': ['MetadataOptions', 'HttpPutResponseHopLimit'],
    hibernation: ['HibernationOptions'],
    instanceProfile: ['IamInstanceProfile'],
    'networkInterfaces.subnet': ['NetworkInterfaces', '*', 'SubnetId'],
    shutdownBehavior: ['InstanceInitiatedShutdownBehavior'],
  }),
};

/** By type; all steps but the last are blocks. Source: the schema of the AWS provider. */
const TERRAFORM: Readonly<Record<string, Fields>> = {
  aws_eks_addon: {
    preserveOnDelete: ['preserve'],
    resolveConflictsOnUpdate: ['resolve_conflicts_on_update'],
    configuration: ['configuration_values'],
  },
  aws_eks_node_group: { amiType: ['ami_type'], 'launchTemplate.name': ['launch_template', 'name'] },
  aws_launch_template: {
    'metadata.httpEndpoint': ['metadata_options', 'http_endpoint'],
    'metadata.httpTokens': ['metadata_options', 'http_tokens'],
    'metadata.hopLimit': ['metadata_options', 'http_put_response_hop_limit'],
    hibernation: ['hibernation_options'],
    instanceProfile: ['iam_instance_profile'],
    'networkInterfaces.subnet': ['network_interfaces', '*', 'subnet_id'],
    shutdownBehavior: ['instance_initiated_shutdown_behavior'],
  },
};

function below(steps: FieldPath, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([field, path]) => [field, [...steps, ...path]]));
}

/** Where CloudFormation has a setting, below the properties of the resource; undefined if the type has no such setting. */
export function cloudFormationPath(type: string, field: string): FieldPath | undefined {
  return CLOUDFORMATION[type]?.[field];
}

/** Where Terraform has a setting, below the resource; undefined if the type has no such setting. */
export function terraformPath(type: string, field: string): FieldPath | undefined {
  return TERRAFORM[type]?.[field];
}

/** Arguments that not every version of the AWS provider has, with the first one that does. Source: its pull requests 24218 and 29555. */
export const NEW_ARGUMENTS: Readonly<Record<string, Readonly<Record<string, Release>>>> = {
  aws_eks_addon: { preserve: [4, 10, 0], resolve_conflicts_on_update: [5, 0, 0] },
};

/**
 * Settings of Terraform that another one of the resource overrules, so that setting them would change nothing.
 * `resolve_conflicts` is also for creation, where the provider refuses PRESERVE.
 */
export const OVERRULED_BY: Readonly<Record<string, string>> = { resolve_conflicts_on_update: 'resolve_conflicts' };

/** Why a setting of CloudFormation had better not be changed from what it is: it is about more than the finding. */
export function whyKept(type: string, field: string, present: unknown): string | undefined {
  const isForBoth = type === 'AWS::EKS::Addon' && field === 'resolveConflictsOnUpdate';
  if (!isForBoth || typeof present !== 'string' || present.toUpperCase() !== 'OVERWRITE') return undefined;
  return '`ResolveConflicts` is also for the creation of the add-on, where only OVERWRITE takes over a copy that differs';
}
