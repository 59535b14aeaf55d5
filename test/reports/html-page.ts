import { checkTemplates, type CheckResult } from '../../lib/check';
import { summarize, type Finding } from '../../lib/engine';
import type { EksModel, Resource } from '../../lib/eks';
import { render, type ReportContext } from '../../lib/reports';
import { contextWith, findingOn } from './hand-made';
import { readXml, type Element } from './xml';

/** A page, read by a strict parser. */
export function readPage(page: string): Element {
  const start = '<!doctype html>\n';
  if (!page.startsWith(start)) throw new Error('no doctype');
  return readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${page.slice(start.length)}`);
}

export function pageOf(
  result: CheckResult,
  files: Readonly<Record<string, string>> = {},
  values: Partial<ReportContext> = {},
): string {
  return render('html', result, contextWith(files, { date: '2026-11-21', ...values }));
}

export function elementsOf(root: Element): Element[] {
  return [root, ...root.children.flatMap(elementsOf)];
}

export const inClass =
  (name: string) =>
  ({ attributes }: Element) =>
    (attributes['class'] ?? '').split(' ').includes(name);

/** All text of an element. */
export function textOf(element: Element): string {
  return element.text + element.children.map(textOf).join('');
}

/** The cards of the drawing by what they say: `Add-on vpc-cni`. */
export function cardTitles(page: Element): string[] {
  return elementsOf(page)
    .filter(inClass('card'))
    .map(
      (card) =>
        elementsOf(card)
          .find(({ name }) => name === 'title')
          ?.text.split('\n', 1)
          .join() ?? '',
    );
}

/** What a template declares, with findings that the test makes. */
export function resultFor(
  resources: Readonly<Record<string, unknown>>,
  findings: (model: EksModel) => readonly Finding[] = () => [],
): CheckResult {
  const { inputs, model, diagnostics } = checkTemplates([
    { file: 'cluster.json', text: JSON.stringify({ Resources: resources }, undefined, 2) },
  ]);
  const made = findings(model);
  return { inputs, findings: made, diagnostics, summary: summarize(made), model };
}

export const found = (resource: Resource | undefined, values: Partial<Finding> = {}): Finding[] =>
  resource === undefined ? [] : [findingOn(resource, values)];

export const ref = (id: string) => ({ Ref: id });
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
export const role = (...policies: readonly string[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    ManagedPolicyArns: policies.map((name) => `arn:aws:iam::aws:policy/${name}`),
    AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] },
  },
});
const subnet = (cidr: string, zone: string) => ({
  Type: 'AWS::EC2::Subnet',
  Properties: { CidrBlock: cidr, AvailabilityZone: zone, VpcId: 'vpc-1' },
});

export function nodeGroup(cluster: string, values: Readonly<Record<string, unknown>> = {}): object {
  return {
    Type: 'AWS::EKS::Nodegroup',
    Properties: {
      ClusterName: ref(cluster),
      NodeRole: arn('NodeRole'),
      Subnets: [ref('SubnetA'), ref('SubnetB')],
      AmiType: 'AL2023_x86_64_STANDARD',
      ...values,
    },
  };
}

export const addon = (cluster: string, name: string, values: Readonly<Record<string, unknown>> = {}) => ({
  Type: 'AWS::EKS::Addon',
  Properties: { ClusterName: ref(cluster), AddonName: name, ...values },
});
export const cluster = (name: string) => ({
  Type: 'AWS::EKS::Cluster',
  Properties: {
    Name: name,
    Version: '1.34',
    RoleArn: arn('ClusterRole'),
    ResourcesVpcConfig: { SubnetIds: [ref('SubnetA')] },
  },
});

/** A cluster with something of everything that is drawn. */
export const small: Readonly<Record<string, unknown>> = {
  Main: cluster('main'),
  ClusterRole: role('AmazonEKSClusterPolicy'),
  NodeRole: role('AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly'),
  CniRole: role('AmazonEKS_CNI_Policy'),
  SubnetA: subnet('10.0.0.0/24', 'eu-west-1a'),
  SubnetB: subnet('10.0.1.0/24', 'eu-west-1b'),
  Template: {
    Type: 'AWS::EC2::LaunchTemplate',
    Properties: {
      LaunchTemplateData: {
        ImageId: 'ami-0123456789abcdef0',
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
      },
    },
  },
  General: nodeGroup('Main', {
    NodegroupName: 'general',
    LaunchTemplate: { Id: ref('Template'), Version: '3' },
    AmiType: undefined,
  }),
  Batch: nodeGroup('Main', {
    CapacityType: 'SPOT',
    InstanceTypes: ['m6i.large', 'm6a.large', 'm5.large'],
    ScalingConfig: { MinSize: 0, MaxSize: 9 },
  }),
  Imported: {
    Type: 'AWS::EKS::Nodegroup',
    Properties: {
      ClusterName: 'elsewhere',
      NodeRole: 'arn:aws:iam::111122223333:role/nodes',
      Subnets: ['subnet-0aaaaaaaaaaaaaaaa'],
    },
  },
  Cni: addon('Main', 'vpc-cni', { AddonVersion: 'v1.21.1-eksbuild.1', ServiceAccountRoleArn: arn('CniRole') }),
  Dns: addon('Main', 'coredns'),
  Access: {
    Type: 'AWS::EKS::AccessEntry',
    Properties: { ClusterName: ref('Main'), PrincipalArn: 'arn:aws:iam::111122223333:role/admin' },
  },
};
