import { TemplateFunction, type TreeValue } from './tree-values';

/*
 * The launch template that a node group without one gets: tokens required, a hop limit of 2, and the disk size, which EKS takes from nowhere else
 * then. Source: Amazon EKS user guide, "Customize managed nodes with launch templates".
 */

/** GiB of the snapshot that the AMIs of AL2023 have, below which EC2 makes no volume of it. Source: amazon-eks-ami #1581. */
const LEAST_VOLUME = 20;

/** Settings of the group that nobody but its owner can move. */
export const REMOTE_ACCESS_MOVES =
  'its remote access would have to move into the launch template, with security groups that nothing here names';

export const NO_FREE_NAME = 'the names that its launch template could have are taken';

function volumeOf(diskSize: number): number {
  return Math.max(diskSize, LEAST_VOLUME);
}

/** A resource of a template. */
export function templateResource(diskSize: number | undefined): TreeValue {
  return {
    Type: 'AWS::EC2::LaunchTemplate',
    Properties: {
      LaunchTemplateData: {
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
        ...(diskSize === undefined
          ? {}
          : {
              BlockDeviceMappings: [
                {
                  DeviceName: '/dev/xvda',
                  Ebs: { VolumeSize: volumeOf(diskSize), VolumeType: 'gp3', Encrypted: true },
                },
              ],
            }),
      },
    },
  };
}

/** What the group has of it. */
export function useInTemplate(id: string): TreeValue {
  return { Id: new TemplateFunction('Ref', id), Version: new TemplateFunction('GetAtt', `${id}.LatestVersionNumber`) };
}

export function configurationResource(diskSize: number | undefined): TreeValue {
  return {
    metadata_options: { http_tokens: 'required', http_put_response_hop_limit: 2 },
    ...(diskSize === undefined
      ? {}
      : {
          block_device_mappings: {
            device_name: '/dev/xvda',
            ebs: { volume_size: volumeOf(diskSize), volume_type: 'gp3', encrypted: true },
          },
        }),
  };
}

export function useInConfiguration(name: string): TreeValue {
  return {
    id: `\${aws_launch_template.${name}.id}`,
    version: `\${aws_launch_template.${name}.latest_version}`,
  };
}

/** Lines of the resource in HCL. */
export function resourceLines(name: string, diskSize: number | undefined): readonly string[] {
  return [
    `resource "aws_launch_template" "${name}" {`,
    '  metadata_options {',
    '    http_tokens                 = "required"',
    '    http_put_response_hop_limit = 2',
    '  }',
    ...(diskSize === undefined
      ? []
      : [
          '',
          '  block_device_mappings {',
          '    device_name = "/dev/xvda"',
          '',
          '    ebs {',
          `      volume_size = ${volumeOf(diskSize)}`,
          '      volume_type = "gp3"',
          '      encrypted   = true',
          '    }',
          '  }',
        ]),
    '}',
  ];
}

/** Lines of the group's block in HCL, without its indentation. */
export function useLines(name: string): readonly string[] {
  return [
    'launch_template {',
    `  id      = aws_launch_template.${name}.id`,
    `  version = aws_launch_template.${name}.latest_version`,
    '}',
  ];
}
