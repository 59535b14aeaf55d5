import type { RepairField } from '../engine/repair';

/** Names from a resource down to a setting; `*` is the item of a list that the finding is about. */
type FieldPath = readonly string[];
type Fields = Readonly<Partial<Record<RepairField, FieldPath>>>;

const METADATA: Fields = {
  'metadata.httpEndpoint': ['MetadataOptions', 'HttpEndpoint'],
  'metadata.httpTokens': ['MetadataOptions', 'HttpTokens'],
  'metadata.hopLimit': ['MetadataOptions', 'HttpPutResponseHopLimit'],
  'metadata.instanceTags': ['MetadataOptions', 'InstanceMetadataTags'],
};

/** By type, below `Properties`. Source: the AWS CloudFormation resource reference. */
const CLOUDFORMATION: Readonly<Record<string, Fields>> = {
  'AWS::EKS::Addon': {
    preserveOnDelete: ['PreserveOnDelete'],
    resolveConflictsOnUpdate: ['ResolveConflicts'],
    configuration: ['ConfigurationValues'],
  },
  'AWS::EKS::Nodegroup': { amiType: ['AmiType'], 'launchTemplate.name': ['LaunchTemplate', 'Name'] },
  'AWS::EC2::LaunchTemplate': below(['LaunchTemplateData'], {
    ...METADATA,
    hibernation: ['HibernationOptions'],
    instanceProfile: ['IamInstanceProfile'],
    'networkInterfaces.subnet': ['NetworkInterfaces', '*', 'SubnetId'],
    shutdownBehavior: ['InstanceInitiatedShutdownBehavior'],
  }),
  'AWS::AutoScaling::LaunchConfiguration': METADATA,
};

const METADATA_BLOCK: Fields = {
  'metadata.httpEndpoint': ['metadata_options', 'http_endpoint'],
  'metadata.httpTokens': ['metadata_options', 'http_tokens'],
  'metadata.hopLimit': ['metadata_options', 'http_put_response_hop_limit'],
  'metadata.instanceTags': ['metadata_options', 'instance_metadata_tags'],
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
    ...METADATA_BLOCK,
    hibernation: ['hibernation_options'],
    instanceProfile: ['iam_instance_profile'],
    'networkInterfaces.subnet': ['network_interfaces', '*', 'subnet_id'],
    shutdownBehavior: ['instance_initiated_shutdown_behavior'],
  },
  // A launch configuration of Terraform has no tags in metadata.
  aws_launch_configuration: Object.fromEntries(Object.entries(METADATA_BLOCK).filter(([field]) => field !== 'metadata.instanceTags')),
};

function below(steps: FieldPath, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([field, path]) => [field, [...steps, ...path]]));
}

/** Where CloudFormation has a setting, below the properties of the resource; undefined if the type has no such setting. */
export function cloudFormationPath(type: string, field: RepairField): FieldPath | undefined {
  return CLOUDFORMATION[type]?.[field];
}

/** Where Terraform has a setting, below the resource; undefined if the type has no such setting. */
export function terraformPath(type: string, field: RepairField): FieldPath | undefined {
  return TERRAFORM[type]?.[field];
}

/**
 * Settings that another one of the resource overrules, so that setting them would change nothing.
 * `resolve_conflicts` is also for creation, where the provider refuses PRESERVE.
 */
export const OVERRULED_BY: Readonly<Record<string, string>> = { resolve_conflicts_on_update: 'resolve_conflicts' };
