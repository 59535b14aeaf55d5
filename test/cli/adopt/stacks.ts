import type { TemplateInput } from '../../../lib/cloudformation/template-input';
import { SynthesizedApp } from '../../../lib/cli/adopt/app';
import { adoptedModule } from '../../../lib/cli/adopt/module';

/* Stacks as the CDK writes them, and the code for their node groups. */

export const CLUSTER = { Type: 'AWS::EKS::Cluster', Properties: { Version: '1.32' } };
export const PLACE = { NodeRole: 'arn:aws:iam::111122223333:role/nodes', Subnets: ['subnet-1', 'subnet-2'] };
export const OWN = { Id: { Ref: 'Template' }, Version: { 'Fn::GetAtt': ['Template', 'LatestVersionNumber'] } };

/** What a stack has besides. */
interface More {
  readonly path?: string;
  readonly outputs?: object;
  readonly parameters?: object;
  readonly assembly?: Partial<NonNullable<TemplateInput['assembly']>>;
}

/** A stack with constructs at the paths of `at`, by logical id. */
export function stackOf(
  resources: Readonly<Record<string, object>>,
  at: Readonly<Record<string, string>>,
  more: More = {},
): TemplateInput {
  const { path = 'Shop', outputs = {}, parameters = {}, assembly = {} } = more;
  return {
    file: `${path}.template.json`,
    stack: path,
    text: JSON.stringify({ Parameters: parameters, Resources: resources, Outputs: outputs }),
    assembly: {
      stackPath: path,
      constructPaths: new Map(Object.entries(at).map(([id, construct]) => [id, `${path}/${construct}`])),
      nestedTemplates: new Map(),
      acknowledgements: [],
      ...assembly,
    },
  };
}

export const moduleOf = (...stacks: readonly TemplateInput[]) => adoptedModule(new SynthesizedApp(stacks));

/** Resources of the same stack, with the paths of their constructs. */
type Others = Readonly<Record<string, readonly [path: string, resource: object]>>;

/** What is written of a group with the given properties, and of its launch template if it has one. */
export function written(group: object, template?: object, path = 'Workers/Resource', others: Others = {}): string {
  const { text } = moduleOf(
    stackOf(
      {
        Cluster: CLUSTER,
        Workers: {
          Type: 'AWS::EKS::Nodegroup',
          Properties: {
            ClusterName: { Ref: 'Cluster' },
            AmiType: 'AL2023_x86_64_STANDARD',
            ...PLACE,
            ...(template === undefined ? {} : { LaunchTemplate: OWN }),
            ...group,
          },
        },
        ...(template === undefined
          ? {}
          : { Template: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: template } } }),
        ...Object.fromEntries(Object.entries(others).map(([id, [, resource]]) => [id, resource])),
      },
      {
        Cluster: 'Cluster/Resource',
        Workers: path,
        Template: 'Template/Resource',
        ...Object.fromEntries(Object.entries(others).map(([id, [at]]) => [id, at])),
      },
    ),
  );
  return text;
}
