import {
  dataAt,
  isNodeClass,
  objectName,
  placeIn,
  roleBehind,
  Unknown,
  type EksModel,
  type KubernetesManifest,
  type Role,
  type Source,
  type When,
} from '../../../eks';
import { roleMeant } from '../../../eks/analysis/role-uses';

/** A role that a node class of Karpenter gives its nodes. */
interface NodeClassRole {
  readonly role: Role;
  readonly manifest: KubernetesManifest;
  /** As messages call it. */
  readonly name: string;
  readonly source: Source;
  readonly when: When;
}

/** By models: several rules ask. */
const known = new WeakMap<EksModel, readonly NodeClassRole[]>();

/**
 * Those of the input, by a reference or by their name, from which Karpenter makes an instance profile.
 * Source: aws/karpenter-provider-aws, website, "NodeClasses", spec.role.
 */
export function nodeClassRoles(model: EksModel): readonly NodeClassRole[] {
  const found = known.get(model) ?? findRoles(model);
  known.set(model, found);
  return found;
}

function findRoles(model: EksModel): readonly NodeClassRole[] {
  return model.clusterViews.flatMap((view) =>
    view.manifests.filter(isNodeClass).flatMap((manifest): readonly NodeClassRole[] => {
      const written = dataAt(manifest.object, 'spec', 'role');
      const role =
        typeof written === 'string'
          ? roleMeant(written, view, model)
          : written instanceof Unknown
            ? roleBehind(written)
            : undefined;
      const when = role === undefined ? undefined : manifest.exists.and(role.exists);
      if (role === undefined || when === undefined) return [];
      const name = `node class ${objectName(manifest)}`;
      return [{ role, manifest, name, source: placeIn(manifest, 'spec', 'role'), when }];
    }),
  );
}
