/** A module for AWS of an organisation whose modules are known here. */
export interface ModuleSource {
  /** `terraform-aws-modules`, `cloudposse`. */
  readonly organisation: string;
  /** `eks`, `iam`, `eks-pod-identity`. */
  readonly name: string;
  /** `modules/karpenter`; empty for the module itself. */
  readonly folder: string;
  /** The tag or branch of a git source. */
  readonly reference: string | undefined;
}

const REGISTRY =
  /^(?:registry\.(?:terraform\.io|opentofu\.org)\/)?(terraform-aws-modules|aws-ia|cloudposse)\/([a-z-]{1,60})\/aws$/;
const GIT =
  /^(?:git::)?(?:(?:https?|ssh):\/\/)?(?:[\w.-]{1,60}@)?(?:www\.)?github\.com[/:](terraform-aws-modules|aws-ia|cloudposse)\/terraform-aws-([a-z-]{1,60}?)(?:\.git)?$/;

/**
 * `terraform-aws-modules/eks/aws//modules/karpenter`, or the same from git with a tag. Undefined for any other module.
 * Source: Terraform documentation, "Module Sources".
 */
export function parseModuleSource(source: string): ModuleSource | undefined {
  if (source.length > 300) return undefined;
  const [address = '', query = ''] = source.split('?');
  // The first `//` belongs to the scheme.
  const start = address.indexOf('://');
  const separator = address.indexOf('//', start === -1 ? 0 : start + 3);
  const root = separator === -1 ? address : address.slice(0, separator);
  const folder = separator === -1 ? '' : address.slice(separator + 2).replace(/\/$/, '');
  const [, organisation, name] = REGISTRY.exec(root) ?? GIT.exec(root) ?? [];
  if (organisation === undefined || name === undefined) return undefined;
  return { organisation, name, folder, reference: new URLSearchParams(query).get('ref') ?? undefined };
}

/**
 * A source in one form for all in which it is written: `terraform init` records most in full, `git::https://github.com/acme/eks.git` for
 * `github.com/acme/eks`. Source: Terraform documentation, "Module Sources".
 */
export function canonicalSource(source: string): string {
  return source
    .trim()
    .replace(/^registry\.(?:terraform\.io|opentofu\.org)\//, '')
    .replace(/^[a-z\d]+::/, '')
    .replace(/^[a-z\d]+:\/\//, '')
    .replace(/^[^@/?]*@/, '')
    .replace(/^([^/:?]+):(?!\d)/, '$1/')
    .replace(/^([^/]+)\.(s3[\w.-]*\.amazonaws\.com)\//, '$2/$1/')
    .replace(/\.git(?=\/\/|\?|$)/, '')
    .replace(/\/(?=\?|$)/, '');
}
