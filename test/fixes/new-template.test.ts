import type { Repair } from '../../lib/engine';
import { applyEdits } from '../../lib/fixes/text-edit';
import { templateText } from './template-text';

const GROUP = 'AWS::EKS::Nodegroup';
const NEW: Repair = { kind: 'newTemplate', field: 'launchTemplate' };
const METADATA = { HttpTokens: 'required', HttpPutResponseHopLimit: 2 };

const group = (properties: object, others: object = {}): string =>
  JSON.stringify({ Resources: { R: { Type: GROUP, Properties: { ClusterName: 'main', ...properties } }, ...others } });

const using = (name: string): object => ({
  LaunchTemplate: { Id: { Ref: name }, Version: { 'Fn::GetAtt': [name, 'LatestVersionNumber'] } },
});

const templateWith = (data: object): object => ({
  Type: 'AWS::EC2::LaunchTemplate',
  Properties: { LaunchTemplateData: { MetadataOptions: METADATA, ...data } },
});

/** The template after the repair, or why there is none. */
function repaired(text: string): unknown {
  const plan = templateText(text, 'template.json')?.repair(GROUP, 'R', NEW, undefined);
  if (plan === undefined) return 'unreadable';
  return 'refusal' in plan ? `refused: ${plan.refusal}` : JSON.parse(applyEdits(text, plan.edits));
}

describe('a launch template beside a group', () => {
  it('is made in JSON with functions in their long form, and takes the disk with it', () => {
    expect(repaired(group({}))).toEqual(JSON.parse(group(using('RTemplate'), { RTemplate: templateWith({}) })));
    const disk = { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50, VolumeType: 'gp3', Encrypted: true } };
    expect(repaired(group({ DiskSize: '50' }))).toEqual(
      JSON.parse(group(using('RTemplate'), { RTemplate: templateWith({ BlockDeviceMappings: [disk] }) })),
    );
  });

  it('has a name that is free', () => {
    const taken = { RTemplate: { Type: 'AWS::SNS::Topic' } };
    const { Resources: made } = repaired(group({}, taken)) as { Resources: object };
    expect(Object.keys(made)).toHaveLength(3);
    expect(made).toMatchObject(taken);
    expect(repaired(group({}, { ...taken, RLaunchTemplate: { Type: 'AWS::SNS::Topic' } }))).toBe(
      'refused: the names that its launch template could have are taken',
    );
  });

  it.each([
    ['a group that has one', { LaunchTemplate: { Id: 'lt-0a' } }],
    ['remote access, which only the group has', { RemoteAccess: { Ec2SshKey: 'ops' } }],
    ['a disk of which the size is not written', { DiskSize: { Ref: 'Size' } }],
  ])('is not made for %s', (_, properties) => {
    expect(repaired(group(properties))).toMatch(/^refused: /);
  });
});
