import { EksModel } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { AS_OF } from '../../as-of';

const template = (data: object, amiType: string) => ({
  Resources: {
    Workers: {
      Type: 'AWS::EKS::Nodegroup',
      Properties: {
        ClusterName: 'main',
        NodeRole: 'arn:aws:iam::111122223333:role/nodes',
        Subnets: ['subnet-0123456789abcdef0'],
        AmiType: amiType,
        LaunchTemplate: { Id: { Ref: 'Template' }, Version: { 'Fn::GetAtt': ['Template', 'LatestVersionNumber'] } },
      },
    },
    Template: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: data } },
  },
});

function codeFor(
  file: string,
  data: object,
  id = 'imds-hop-limit',
  amiType = 'AL2023_x86_64_STANDARD',
): string | undefined {
  const { resources } = readTemplates([{ file, content: template(data, amiType) }]);
  const findings = runRules(new EksModel(resources), allRules, { asOf: AS_OF });
  return findings.find(({ rule, resource }) => rule === id && resource.id === 'Template')?.fixCode;
}

describe('code for a launch template', () => {
  it('says that it goes into LaunchTemplateData where nothing of it is written there', () => {
    const data = { SecurityGroupIds: ['sg-0123456789abcdef0'] };
    expect(codeFor('nodes.yaml', data)).toMatch(/^# in the LaunchTemplateData:\nMetadataOptions:\n/);
    expect(codeFor('nodes.json', data)).toMatch(/^In the LaunchTemplateData:\n"MetadataOptions": \{/);
  });

  it('stands without a heading where it goes into an item of a list', () => {
    const data = { BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 100 } }] };
    expect(codeFor('nodes.yaml', data, 'bottlerocket-data-volume', 'BOTTLEROCKET_x86_64')).toMatch(/^DeviceName: /);
  });

  it('stands without a heading where it takes the place of what is written', () => {
    expect(codeFor('nodes.yaml', { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 } })).toMatch(
      /^MetadataOptions:\n/,
    );
  });
});
