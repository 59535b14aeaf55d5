import type { AccessResource } from './access';
import type { Addon } from './addon';
import type { ClusterResource } from './cluster';
import type { ConfigurationFile } from './configuration-file';
import type { IamResource } from './iam';
import type { KubernetesResource } from './kubernetes';
import type { LaunchTemplate } from './launch-template';
import type { NetworkResource } from './network';
import type { NodeResource } from './nodes';

export type { AmiFamily } from '../../knowledge/ami-types';
export type * from './access';
export type * from './addon';
export type * from './cluster';
export type * from './outsider';
export type * from './configuration-file';
export type * from './iam';
export type * from './kubernetes';
export type * from './launch-template';
export type * from './network';
export type * from './nodes';
export type * from './reference';

/** What the rules see of an input. */
export type EksResource =
  | AccessResource
  | Addon
  | ClusterResource
  | ConfigurationFile
  | IamResource
  | KubernetesResource
  | LaunchTemplate
  | NetworkResource
  | NodeResource;
