import type { UserDataDocument } from '../user-data/document';
import { readUserData } from '../user-data/read-document';
import { flatMapCases, type Plain, type When } from '../../value';
import { whereExists } from '../model/existence';
import type { EksModel } from '../model/model';
import {
  amiFamilyOf,
  groupLaunches,
  launchesByResource,
  launchesOfGroup,
  under,
  type AnyNodeGroup,
  type Launch,
  type LaunchUser,
} from './node-group';
import type { AmiFamily, Image, LaunchTemplate, UserData } from '../model/resources';

/**
 * How the machines of a group become nodes of a cluster: who brings the bootstrap, for which operating system, and what the
 * user data holds.
 */

/** One way in which the machines of a managed or self-managed group boot. */
export type NodeBoot = Launch<AnyNodeGroup>;

/** A boot under one assumption, so that nothing of it has alternatives. */
export interface BootCase {
  readonly boot: NodeBoot;
  /** The assumption, the boot's own included. */
  readonly when: When;
  /** Undefined when the group has none. */
  readonly template: LaunchTemplate | undefined;
  /**
   * Who makes the machines join. EKS adds its bootstrap to the user data of managed groups without an AMI of their own; with one,
   * and in self-managed groups, the user data must bring everything. Karpenter adds its own to that of a node class.
   */
  readonly bootstrapBy: 'eks' | 'karpenter' | 'user' | 'unknown';
  readonly image: Plain<Image>;
  readonly family: Plain<AmiFamily>;
  readonly userData: Plain<UserData>;
  /** The user data, taken apart; undefined if there is none or it isn't known. */
  readonly document: UserDataDocument | undefined;
}

/** Every boot of the input by the resource that decides on it: the launch template, or a group without one that can be seen. */
export function bootsByResource(model: EksModel): readonly LaunchUser<NodeBoot>[] {
  let users = boots.get(model);
  if (users === undefined) {
    const managed = launchesByResource(model);
    const own = model.selfManagedNodeGroups.flatMap((group): readonly NodeBoot[] =>
      launchesOfGroup(group, model.viewOf(group)),
    );
    users =
      own.length === 0 ? managed : groupLaunches<NodeBoot>([...managed.flatMap(({ launches }) => launches), ...own]);
    boots.set(model, users);
  }
  return users;
}

const boots = new WeakMap<EksModel, readonly LaunchUser<NodeBoot>[]>();

/** Those of {@link bootsByResource} with user data, or whose launch template can't be seen: most launch templates leave it out. */
export function bootsWithUserData(model: EksModel): readonly LaunchUser<NodeBoot>[] {
  let users = bootsWithData.get(model);
  if (users === undefined) {
    users = bootsByResource(model).flatMap(({ resource, launches }) => {
      const some = launches.filter(mayHaveUserData);
      return some.length === 0 ? [] : [{ resource, launches: some }];
    });
    bootsWithData.set(model, users);
  }
  return users;
}

const bootsWithData = new WeakMap<EksModel, readonly LaunchUser<NodeBoot>[]>();

function mayHaveUserData({ template }: NodeBoot): boolean {
  return template.kind === 'unknown' || (template.kind === 'known' && template.value.userData.kind !== 'absent');
}

/** The cases of a boot; none if its launch template can't be seen. */
export function bootCasesOf(boot: NodeBoot): readonly BootCase[] {
  let known = bootCases.get(boot);
  if (known === undefined) {
    known = readBootCases(boot);
    bootCases.set(boot, known);
  }
  return known;
}

const bootCases = new WeakMap<NodeBoot, readonly BootCase[]>();

function readBootCases(boot: NodeBoot): readonly BootCase[] {
  const { nodeGroup, view, template, when: given } = boot;
  if (template.kind === 'unknown') return [];
  const family = amiFamilyOf(nodeGroup, view);
  if (template.kind === 'absent') {
    return flatMapCases({ family: under(given, family) }, (values, when): readonly BootCase[] => [
      {
        boot,
        when,
        template: undefined,
        bootstrapBy: nodeGroup.kind === 'node-group' ? 'eks' : 'unknown',
        image: template,
        family: values.family,
        userData: template,
        document: undefined,
      },
    ]);
  }
  const split = {
    image: under(given, whereExists(nodeGroup, template.value.imageId)),
    userData: whereExists(nodeGroup, template.value.userData),
    family,
  };
  return flatMapCases(split, ({ image, userData, family: system }, when): readonly BootCase[] => {
    // Without any condition the assumption is the boot's own.
    const assumption = given.and(when);
    // Nothing boots where EC2 refuses the AMI.
    if (assumption === undefined || (image.kind === 'known' && image.value.isMalformed === true)) return [];
    const document = userData.kind === 'known' ? documentOf(userData.value) : undefined;
    return [
      {
        boot,
        when: assumption,
        template: template.value,
        bootstrapBy: bootstrapBy(nodeGroup, image),
        image,
        family: system,
        userData,
        document,
      },
    ];
  });
}

function bootstrapBy(nodeGroup: AnyNodeGroup, image: Plain<Image>): BootCase['bootstrapBy'] {
  if (nodeGroup.kind === 'self-managed-node-group' && nodeGroup.nodeClass?.isMerged === true) return 'karpenter';
  if (nodeGroup.kind === 'self-managed-node-group' || image.kind === 'known') return 'user';
  if (image.kind === 'absent') return 'eks';
  // A parameter or another resource stands for an AMI; what a macro may add needn't be one.
  return image.text === undefined ? 'unknown' : 'user';
}

/** User data, taken apart once. */
export function documentOf(userData: UserData): UserDataDocument {
  let document = documents.get(userData);
  if (document === undefined) {
    document = readUserData(userData.text, { layers: userData.layers });
    documents.set(userData, document);
  }
  return document;
}

const documents = new WeakMap<UserData, UserDataDocument>();
