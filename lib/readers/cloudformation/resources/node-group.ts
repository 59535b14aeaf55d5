import {
  flatMapValue,
  Known,
  Unknown,
  type Cluster,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type LaunchTemplateVersion,
  type NodeGroup,
  type Plain,
  type Reference,
  type Role,
  type Value,
} from '../../../model';
import { Block } from '../block';
import type { Cursor } from '../cursor';
import { ResourceAttribute } from '../unknown-values';
import { CloudFormationResource } from './cloudformation-resource';
import { clusterReference, referenceTo, roleReference } from './references';

/** `AWS::EKS::Nodegroup`. */
export class EksNodegroup extends CloudFormationResource implements NodeGroup {
  readonly kind = 'node-group';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }

  get name(): Value<string> {
    return this.properties.string('NodegroupName');
  }

  get amiType(): Value<string> {
    return this.properties.string('AmiType');
  }

  get instanceTypes(): Value<readonly Value<string>[]> {
    return this.properties.strings('InstanceTypes');
  }

  get capacityType(): Value<string> {
    return this.properties.string('CapacityType');
  }

  get version(): Value<string> {
    return this.properties.string('Version');
  }

  get releaseVersion(): Value<string> {
    return this.properties.string('ReleaseVersion');
  }

  get nodeRole(): Value<Reference<Role>> {
    return roleReference(this.properties.item('NodeRole'), this.template.set);
  }

  get forceUpdate(): Value<boolean> {
    return this.properties.boolean('ForceUpdateEnabled');
  }

  get launchTemplate(): Value<LaunchTemplateUse> {
    return flatMapValue(this.properties.block('LaunchTemplate').map, (plain) => (plain.kind === 'known' ? this.launchTemplateUse(plain) : plain));
  }

  private launchTemplateUse(specification: Known<Cursor>): Value<LaunchTemplateUse> {
    const block = Block.of(specification, this.evaluator);
    const { source } = specification;
    const version = flatMapValue(block.string('Version'), readVersion);
    const byName = (name: string) => this.template.set.launchTemplateNamed(name);
    const use = (template: Reference<LaunchTemplate>) => new Known<LaunchTemplateUse>({ template, version, source }, source);
    return flatMapValue(referenceTo<LaunchTemplate>(block.item('Id'), 'launch-template'), (id): Value<LaunchTemplateUse> => {
      if (id.kind === 'known') return use(id.value);
      if (id.kind === 'unknown') return use({ text: id.text ?? 'an unknown launch template', target: undefined });
      return flatMapValue(referenceTo<LaunchTemplate>(block.item('Name'), 'launch-template', byName), (name): Value<LaunchTemplateUse> => {
        if (name.kind === 'known') return use(name.value);
        if (name.kind === 'unknown') return use({ text: name.text ?? 'an unknown launch template', target: undefined });
        return new Unknown('it names no launch template', source);
      });
    });
  }
}

function readVersion(plain: Plain<string>): Plain<LaunchTemplateVersion> {
  if (plain.kind === 'absent') return plain;
  if (plain.kind === 'known') return new Known({ text: plain.value, tracks: undefined }, plain.source, plain.note);
  if (plain instanceof ResourceAttribute && plain.declaration.template.typeOf(String(plain.declaration.key)) === 'AWS::EC2::LaunchTemplate') {
    const { attribute, declaration } = plain;
    const tracks = attribute === 'LatestVersionNumber' ? 'latest' : attribute === 'DefaultVersionNumber' ? 'default' : undefined;
    if (tracks !== undefined) return new Known({ text: `${declaration.key}.${attribute}`, tracks }, plain.source);
  }
  return plain;
}
