/**
 * - `attach`: attach policies to a role.
 * - `associate`: give a service account a role, by Pod Identity.
 * - `trust`: make an IAM OIDC provider.
 * - `install`: put software into a cluster, by an add-on or otherwise.
 */
export type Deed = 'attach' | 'associate' | 'trust' | 'install';

/** What isn't looked into and is given a role or a cluster of the input: it may do with that what nothing else here does. */
export interface Outsider {
  /** How a reason calls it, as what something is done by: `module.addons, which isn't here and is given it,`. */
  readonly who: string;
  may(deed: Deed): boolean;
}
