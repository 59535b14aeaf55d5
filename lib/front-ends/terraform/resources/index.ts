import type { EksResource } from '../../../eks';
import { RESOURCE_TABLES } from '../../../eks/resources';
import { isWhole } from '../../../eks/resources/table';
import { Acknowledgements } from '../../../cloudformation/acknowledgements';
import type { Acknowledgement } from '../../../value';
import type { TerraformInstance } from '../../../terraform/instance';
import { EksAccessEntry } from './access-entry';
import { EksAddon } from './addon';
import { wholeReader } from './by-table';
import { readAutoScalingGroups } from './auto-scaling-group';
import { EksCluster } from './cluster';
import { EksFargateProfile } from './fargate-profile';
import { HelmReleaseResource } from './helm-release';
import {
  Annotations,
  ConfigMap,
  EnvironmentPatch,
  KubectlManifest,
  ManifestResource,
  ObjectPatch,
  ServiceAccount,
} from './kubernetes';
import { LaunchConfiguration } from './launch-configuration';
import { Ec2LaunchTemplate } from './launch-template';
import { Ec2Route, Ec2RouteTable, Ec2RouteTableAssociation, Ec2Vpc, Ec2VpcEndpoint } from './network';
import { EksNodeGroup } from './node-group';
import { IamOidcProvider } from './oidc-provider';
import { Registry } from './registry';
import { IamRole } from './role';
import { Ec2SecurityGroup } from './security-group';
import { Ec2Subnet } from './subnet';
import { TYPED_OBJECTS } from './typed-objects';

type Constructor = new (instance: TerraformInstance, registry: Registry) => EksResource;

/** How each resource type is read. */
const READERS: ReadonlyMap<string, Constructor> = new Map<string, Constructor>([
  ...[
    EksCluster,
    EksNodeGroup,
    Ec2LaunchTemplate,
    LaunchConfiguration,
    EksAccessEntry,
    EksAddon,
    EksFargateProfile,
    Ec2Vpc,
    Ec2Subnet,
    Ec2RouteTable,
    Ec2Route,
    Ec2RouteTableAssociation,
    Ec2VpcEndpoint,
    ...RESOURCE_TABLES.filter(isWhole).map(wholeReader),
  ].flatMap((reader) => reader.types.map((type): [string, Constructor] => [type, reader])),
  ['aws_security_group', Ec2SecurityGroup],
  ['aws_default_security_group', Ec2SecurityGroup],
  ['aws_iam_role', IamRole],
  ['aws_iam_openid_connect_provider', IamOidcProvider],
  ['kubernetes_manifest', ManifestResource],
  // Pulumi's, which leaves types and defaults to the API server.
  ['kubernetes_object', ManifestResource],
  ['kubernetes_object_patch', ObjectPatch],
  ['kubectl_manifest', KubectlManifest],
  ['kubernetes_config_map', ConfigMap],
  ['kubernetes_config_map_v1', ConfigMap],
  ['kubernetes_config_map_v1_data', ConfigMap],
  ['kubernetes_service_account', ServiceAccount],
  ['kubernetes_service_account_v1', ServiceAccount],
  ['kubernetes_annotations', Annotations],
  ['kubernetes_env', EnvironmentPatch],
  ['helm_release', HelmReleaseResource],
  ...TYPED_OBJECTS,
]);

/** The resources of the model among the instances of a run, whatever stacks they are of. Data sources show in what refers to them. */
export function readInstances(
  instances: readonly TerraformInstance[],
  acknowledgements: readonly Acknowledgement[] = [],
): EksResource[] {
  const registry = new Registry(
    instances,
    readInstance,
    acknowledgements.length === 0 ? undefined : new Acknowledgements(acknowledgements),
  );
  const resources: EksResource[] = [];
  for (const instance of instances) {
    const resource = readInstance(instance, registry);
    if (resource === undefined) continue;
    registry.add(instance, resource);
    resources.push(resource);
  }
  return [...resources, ...readAutoScalingGroups(registry)];
}

function readInstance(instance: TerraformInstance, registry: Registry): EksResource | undefined {
  const reader = instance.mode === 'managed' ? READERS.get(instance.type) : undefined;
  return reader === undefined ? undefined : new reader(instance, registry);
}
