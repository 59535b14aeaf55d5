import { EksModel, type Resource } from '../../lib/eks';
import { clusterPlace, withReferences } from '../../lib/engine/cluster-references';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { outcomeOf } from '../fixes/obeyed/outcome';
import { checkedHcl } from '../fixes/obeyed/terraform-findings';
import { hclModelOf } from '../rules/terraform/front-ends';

const cluster = (id: string): string =>
  `  ${id}:\n    Type: AWS::EKS::Cluster\n    Properties: { Name: ${id}-name, RoleArn: r, ResourcesVpcConfig: { SubnetIds: [a] } }\n`;
const group = (id: string, of: string, template?: string): string =>
  `  ${id}:\n    Type: AWS::EKS::Nodegroup\n    Properties:\n      ClusterName: ${of}\n      NodeRole: r\n      Subnets: [a]\n${template === undefined ? '' : `      LaunchTemplate: { Id: !Ref ${template}, Version: '1' }\n`}`;
const template = (id: string): string =>
  `  ${id}:\n    Type: AWS::EC2::LaunchTemplate\n    Properties: { LaunchTemplateData: { ImageId: ami-0a } }\n`;

function modelOf(...stacks: readonly string[]): EksModel {
  const files = stacks.map((resources, index) => ({ file: `${index}.yaml`, text: `Resources:\n${resources}` }));
  return new EksModel(readTemplates(files).resources);
}

function resourceIn(model: EksModel, id: string): Resource {
  const found = model.resources.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}

describe('code that refers to the cluster', () => {
  const CODE =
    'Name: !Ref Cluster\nEndpoint: !GetAtt Cluster.Endpoint\nText: ${Cluster.Arn} ${Clusters} !Ref ClusterName';
  const told = (model: EksModel, id: string): string => withReferences(CODE, resourceIn(model, id), model);
  const calling = (name: string): string =>
    `Name: !Ref ${name}\nEndpoint: !GetAtt ${name}.Endpoint\nText: \${${name}.Arn} \${Clusters} !Ref ClusterName`;

  it('calls it by the only logical id that the template has, whatever belongs to it', () => {
    const model = modelOf(cluster('Main') + group('Nodes', 'elsewhere') + template('Template'));
    for (const id of ['Main', 'Nodes', 'Template']) expect(told(model, id)).toBe(calling('Main'));
  });

  it('of several, means that of the resource, or of all groups that a template starts', () => {
    const model = modelOf(
      cluster('One') +
        cluster('Two') +
        template('OfOne') +
        template('OfBoth') +
        template('OfNone') +
        group('A', '!Ref One', 'OfOne') +
        group('B', '!Ref One', 'OfOne') +
        group('C', '!Ref One', 'OfBoth') +
        group('D', '!Ref Two', 'OfBoth') +
        group('E', '!Ref Two'),
    );
    expect(['A', 'E', 'OfOne', 'OfBoth', 'OfNone'].map((id) => told(model, id))).toEqual([
      calling('One'),
      calling('Two'),
      calling('One'),
      CODE,
      CODE,
    ]);
  });

  it('stays as it is where the cluster is in another template', () => {
    const model = modelOf(cluster('One'), cluster('Two') + cluster('Three') + group('Nodes', 'One-name'));
    expect(told(model, 'Nodes')).toBe(CODE);
    expect(told(modelOf(group('Nodes', 'One-name')), 'Nodes')).toBe(CODE);
  });

  it('is nothing that configurations of Terraform have', () => {
    const model = hclModelOf('resource "aws_eks_cluster" "main" {\n  name = "main"\n}\n');
    expect(withReferences(CODE, resourceIn(model, 'aws_eks_cluster.main'), model)).toBe(CODE);
  });
});

describe('the cluster of a place in Terraform', () => {
  const nodes = (id: string, name: string, more = ''): string =>
    `resource "aws_eks_node_group" "${id}" {\n  cluster_name = ${name}\n  node_role_arn = "r"\n  subnet_ids = ["a"]\n${more}}\n`;
  const starts = '  launch_template {\n    id = aws_launch_template.t.id\n    version = "1"\n  }\n';
  const TEMPLATE = 'resource "aws_launch_template" "t" {\n  name = "t"\n}\n';
  const nameAt = (text: string, id: string): string | undefined => {
    const model = hclModelOf(text);
    return clusterPlace(resourceIn(model, id), model).name;
  };

  it.each([
    ['in quotes', '"other"', '"other"'],
    ['as a variable', 'var.cluster', 'var.cluster'],
    ['as an attribute', 'aws_eks_cluster.main.name', 'aws_eks_cluster.main.name'],
    ['as a text of several parts, which is no name for code', '"a-${var.cluster}"', undefined],
  ])('is named as its nodes name it: %s', (_, written, name) => {
    const text = `variable "cluster" {}\nresource "aws_eks_cluster" "main" {\n  name = "main"\n}\n${nodes('n', written)}`;
    expect(nameAt(text, 'aws_eks_node_group.n')).toBe(name);
  });

  it('has the name that all groups of a template have, and none if they differ', () => {
    const both = (one: string, other: string): string => TEMPLATE + nodes('a', one, starts) + nodes('b', other, starts);
    expect(nameAt(both('"main"', '"main"'), 'aws_launch_template.t')).toBe('"main"');
    expect(nameAt(both('"main"', '"other"'), 'aws_launch_template.t')).toBeUndefined();
    expect(nameAt(TEMPLATE, 'aws_launch_template.t')).toBeUndefined();
  });

  it('is the cluster itself where that is the place', () => {
    const model = hclModelOf(
      'resource "aws_eks_cluster" "a" {\n  name = "a"\n}\nresource "aws_eks_cluster" "b" {\n  name = "b"\n}\n',
    );
    const own = resourceIn(model, 'aws_eks_cluster.b');
    expect(clusterPlace(own, model).cluster).toBe(own);
  });

  it('is looked up by that name in the code of fixes, where the configuration has no cluster', () => {
    const text = `variable "cluster" {}\ndata "aws_ssm_parameter" "ami" {\n  name = "/aws/service/bottlerocket/aws-k8s-1.34/x86_64/latest/image_id"\n}\nresource "aws_launch_template" "t" {\n  name = "t"\n  image_id = data.aws_ssm_parameter.ami.value\n}\n${nodes('n', 'var.cluster', starts)}`;
    const [finding] = checkedHcl(text).findings.filter(({ rule }) => rule === 'node-user-data-missing-bootstrap');
    expect(finding?.fixCode).toMatch(/\n\ndata "aws_eks_cluster" "this" \{\n {2}name = var\.cluster\n\}$/);
    expect(finding === undefined ? undefined : outcomeOf(text, finding)).toBe('works');
  });

  it('knows what else is there, whichever of its instances', () => {
    const model = hclModelOf(
      `resource "aws_launch_template" "t" {\n  count = 2\n  name = "t"\n}\n${nodes('n', '"main"')}`,
    );
    const place = resourceIn(model, 'aws_eks_node_group.n');
    const around = clusterPlace(place, model);
    expect(['aws_launch_template.t', 'aws_launch_template.u'].map((id) => around.has(id, place))).toEqual([
      true,
      false,
    ]);
  });
});
