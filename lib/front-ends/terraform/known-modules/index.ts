import { flatMapValue, Known, Unknown, type Value } from '../../../value';
import type { KnownModule, KnownModuleCall } from '../../../terraform/known-module';
import { TerraformMap } from '../../../terraform/terraform-value';
import { expandBlueprintsAddons } from './blueprints-addons';
import { expandCloudposseCluster } from './cloudposse/cluster';
import { expandCloudposseNodeGroup } from './cloudposse/node-group';
import { expandEks } from './eks';
import { expandOldCluster } from './eks/old-cluster';
import {
  expandFargateProfile,
  expandKarpenter,
  expandManagedNodeGroup,
  expandSelfManagedGroup,
} from './eks/submodules';
import { ModuleContext } from './module-context';
import {
  EKS,
  KARPENTER,
  MANAGED_NODE_GROUP_MODULE,
  POD_IDENTITY,
  SERVICE_ACCOUNT_ROLE_4_5,
  SERVICE_ACCOUNT_ROLE_6,
  type Names,
} from './names';
import { expandOidcRole } from './oidc-role';
import { expandPodIdentity } from './pod-identity';
import { expandServiceAccountRole } from './service-account-role';
import { expandVpc, expandVpcEndpoints } from './vpc';
import { parseModuleSource, type ModuleSource } from '../../../terraform/module/module-source';
import { Versions } from '../../../terraform/module/version-constraint';

/** A module that can be read from its call. */
interface Reader {
  /** The variables of its major versions, where they tell these apart. */
  readonly names: Names;
  readonly majors: readonly number[];
  expand(context: ModuleContext): void;
  /** Its files tell more of it, where they are there. @default false */
  readonly isPartial?: boolean;
}

const EKS_MAJORS = [18, 19, 20, 21];
const VPC_MAJORS = [3, 4, 5, 6];

/** Where a call allows none of the versions that are known better. */
const OLD_READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['eks', { names: new Map(), majors: [12, 13, 14, 15, 16, 17], expand: expandOldCluster, isPartial: true }],
]);

/** By name and folder; those of `terraform-aws-modules` without the organisation. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['eks', { names: EKS, majors: EKS_MAJORS, expand: expandEks }],
  [
    'eks//modules/eks-managed-node-group',
    { names: MANAGED_NODE_GROUP_MODULE, majors: EKS_MAJORS, expand: expandManagedNodeGroup },
  ],
  ['eks//modules/karpenter', { names: KARPENTER, majors: [20, 21], expand: expandKarpenter }],
  [
    'iam//modules/iam-role-for-service-accounts-eks',
    {
      names: SERVICE_ACCOUNT_ROLE_4_5,
      majors: [4, 5],
      expand: (context) => {
        expandServiceAccountRole(context, false);
      },
    },
  ],
  [
    'iam//modules/iam-role-for-service-accounts',
    {
      names: SERVICE_ACCOUNT_ROLE_6,
      majors: [6],
      expand: (context) => {
        expandServiceAccountRole(context, true);
      },
    },
  ],
  ['iam//modules/iam-assumable-role-with-oidc', { names: new Map(), majors: [4, 5], expand: expandOidcRole }],
  ['eks//modules/self-managed-node-group', { names: new Map(), majors: EKS_MAJORS, expand: expandSelfManagedGroup }],
  ['eks//modules/fargate-profile', { names: new Map(), majors: EKS_MAJORS, expand: expandFargateProfile }],
  ['aws-ia/eks-blueprints-addons', { names: new Map(), majors: [1], expand: expandBlueprintsAddons }],
  ['cloudposse/eks-cluster', { names: new Map(), majors: [2, 3, 4], expand: expandCloudposseCluster }],
  ['cloudposse/eks-node-group', { names: new Map(), majors: [2, 3], expand: expandCloudposseNodeGroup }],
  // What it makes besides counts for nothing here, but its files have all the tables.
  ['vpc', { names: new Map(), majors: VPC_MAJORS, expand: expandVpc, isPartial: true }],
  ['vpc//modules/vpc-endpoints', { names: new Map(), majors: VPC_MAJORS, expand: expandVpcEndpoints }],
  ['eks-pod-identity', { names: POD_IDENTITY, majors: [1, 2], expand: expandPodIdentity }],
]);

/**
 * What a popular module makes of a call, without its files: resources at the module's addresses, with what the call gives and what the
 * module takes by default in this version.
 * @returns undefined for a module, or a version of it, that isn't known here
 */
export function expandKnownModule(call: KnownModuleCall): KnownModule | undefined {
  const source = parseModuleSource(call.source);
  if (source === undefined) return undefined;
  for (const readers of [READERS, OLD_READERS]) {
    const reader = readers.get(keyOf(source));
    const versions = reader && Versions.of(constraintOf(call, source), reader.majors);
    if (reader !== undefined && versions !== undefined) return readBy(reader, call, source, versions);
  }
  return undefined;
}

function readBy(reader: Reader, call: KnownModuleCall, source: ModuleSource, versions: Versions): KnownModule {
  const { isPartial = false } = reader;
  const context = new ModuleContext(call, nameOf(source), versions.having(namesIn(call), reader.names));
  const exists = existenceOf(context, isPartial);
  if (exists === undefined) return { instances: [], outputs: new Map(), diagnostics: [] };
  reader.expand(exists);
  return {
    get instances() {
      return exists.instances;
    },
    outputs: exists.outputs,
    get diagnostics() {
      return exists.diagnostics;
    },
    isPartial,
  };
}

/** Modules of git sources have their version in the source. */
function constraintOf(call: KnownModuleCall, { reference }: ModuleSource): Value<string> {
  if (reference !== undefined) return new Known(reference, call.place);
  return flatMapValue(call.version, (plain) =>
    plain.kind === 'known' ? plain : new Unknown('no version is named', plain.source),
  );
}

const ORGANISATION = 'terraform-aws-modules';

function keyOf({ organisation, name, folder }: ModuleSource): string {
  return `${organisation === ORGANISATION ? '' : `${organisation}/`}${name}${folder === '' ? '' : `//${folder}`}`;
}

function nameOf({ organisation, name, folder }: ModuleSource): string {
  return `${organisation}/${name}/aws${folder === '' ? '' : `//${folder}`}`;
}

function namesIn({ arguments: given }: KnownModuleCall): readonly string[] {
  return given.kind === 'known' && given.value instanceof TerraformMap ? [...given.value.entries.keys()] : [];
}

/** With `create = false` the module creates nothing. */
function existenceOf(context: ModuleContext, isPartial: boolean): ModuleContext | undefined {
  const flag = (isPartial ? ['create_eks'] : ['create', 'create_role', 'enabled']).find(
    (name) => context.given.item(name).kind !== 'absent',
  );
  if (flag === undefined) return context;
  const created = context.given.flag(flag, true);
  // What isn't known to be left out is there as far as anybody can tell; it's rarely anything but a plain variable.
  if (created.kind === 'unknown') return context;
  const exists = context.where(created);
  return exists === undefined ? undefined : new ModuleContext(context.call, context.name, context.versions, exists);
}
