import { typeName } from '../../../lib/eks';
import { nameArgument } from '../../../lib/upgrade/commands';
import {
  ADDON,
  CLUSTER,
  create,
  judge,
  LAUNCH_TEMPLATE,
  NODE_GROUP,
  previewFile,
  read,
  stateFile,
  stateOf,
  urnOf,
} from './files';

/* What rules say of resources that Terraform's providers make for Pulumi. */

function wordsOf(text: string, rule: string): readonly string[] {
  return judge(text, rule)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ message, fix }) => `${message} ${fix}`);
}

type Json = Readonly<Record<string, unknown>>;

function groupAt(version: Json, more: Json = {}): string {
  return stateFile([
    stateOf(LAUNCH_TEMPLATE, 'nodes', { name: 'nodes' }, { id: 'lt-1', outputs: { id: 'lt-1' } }),
    stateOf(NODE_GROUP, 'workers', { clusterName: 'shop', launchTemplate: { id: 'lt-1', ...version } }, more),
  ]);
}

describe('words', () => {
  it('are those of Terraform’s provider where the version of a launch template floats', () => {
    expect(wordsOf(groupAt({ version: '$Latest' }), 'launch-template-version')).toEqual([
      expect.stringContaining('EKS answers with a number, so every preview shows a difference'),
    ]);
    expect(wordsOf(groupAt({}), 'launch-template-version')).toEqual([
      expect.stringContaining("adds a version that the group doesn't use, so the nodes keep the old settings"),
    ]);
    expect(
      wordsOf(groupAt({ version: '$Latest' }, { ignoreChanges: ['launchTemplate'] }), 'launch-template-version'),
    ).toEqual([
      expect.stringMatching(/Pulumi ignores later changes of it.*Take `launchTemplate` out of `ignoreChanges`/s),
    ]);
  });

  it('have Pulumi’s names of settings, and no versions of Terraform’s provider', () => {
    const addon = stateOf(ADDON, 'cni', { addonName: 'vpc-cni', clusterName: 'shop', resolveConflicts: 'OVERWRITE' });
    expect(wordsOf(stateFile([addon]), 'vpc-cni-resolve-conflicts')).toEqual([
      expect.stringMatching(
        /It replaces `resolveConflicts`, which newer versions of the provider refuse; `resolveConflictsOnCreate`/,
      ),
    ]);
    const [before, after] = [false, true].map((bootstrapSelfManagedAddons) =>
      stateOf(CLUSTER, 'shop', { name: 'shop', bootstrapSelfManagedAddons }),
    );
    const replaced = {
      ...create(after ?? {}),
      op: 'replace',
      oldState: before,
      replaceReasons: ['bootstrapSelfManagedAddons'],
    };
    expect(wordsOf(previewFile([replaced]), 'cluster-replacement')).toEqual([
      expect.stringMatching(/because of `bootstrapSelfManagedAddons`.*such as `bootstrapSelfManagedAddons`/s),
    ]);
  });

  it('call a group by its name where commands leave it to be filled in', () => {
    const [, group] = read(groupAt({})).resources;
    expect(group?.kind === 'node-group' ? nameArgument(group) : undefined).toBe("'<name of workers>'");
  });
});

describe('reports', () => {
  const { resources } = read(groupAt({}, { urn: urnOf(NODE_GROUP, 'workers', 'eks:index:ManagedNodeGroup$') }));

  it('call types as Pulumi does', () => {
    expect(resources.map(typeName)).toEqual([LAUNCH_TEMPLATE, NODE_GROUP]);
  });
});
