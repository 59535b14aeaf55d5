import { EksModel } from '../../../../lib/eks';
import { runRules } from '../../../../lib/engine';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { clusterPrivateEndpoints } from '../../../../lib/rules/node-group/cluster-private-endpoints';
import { AS_OF } from '../../../as-of';
import { configurations } from '../../../terraform/module/configurations';

const EKS = `
module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "~> 20.0"
  cluster_name    = "main"
  cluster_version = "1.35"
  vpc_id          = module.vpc.vpc_id
  subnet_ids      = module.vpc.private_subnets
  eks_managed_node_groups = { workers = {} }
}
`;
const network = (...lines: readonly string[]) => `${EKS}
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
  cidr    = "10.0.0.0/16"
  azs     = ["eu-west-1a", "eu-west-1b"]
  private_subnets = ["10.0.1.0/24", "10.0.2.0/24"]
  ${lines.join('\n  ')}
}
`;

function said(text: string) {
  const { instances } = configurations(text, { knownModule: expandKnownModule });
  return runRules(new EksModel(readInstances(instances)), [clusterPrivateEndpoints], { asOf: AS_OF }).map(
    ({ verdict, messageId, fixCode }) => ({
      what: `${verdict} ${messageId ?? ''}`,
      fixCode,
    }),
  );
}

const verdictsOf = (text: string) => said(text).map(({ what }) => what);

describe('the network of terraform-aws-modules/vpc', () => {
  it('without NAT gateways needs endpoints, and those of the fix do', () => {
    const text = network('enable_nat_gateway = false');
    const [finding, ...others] = said(text);
    expect([finding?.what, others]).toEqual(['fail missing', []]);
    expect(finding?.fixCode).toContain('source = "terraform-aws-modules/vpc/aws//modules/vpc-endpoints"');
    expect(finding?.fixCode).toContain('route_table_ids = module.vpc.private_route_table_ids');
    expect(verdictsOf(`${text}\n${finding?.fixCode ?? ''}`)).toEqual([]);
  });

  it('has a way out by NAT gateways', () => {
    expect(verdictsOf(network('enable_nat_gateway = true', 'single_nat_gateway = true'))).toEqual([]);
  });

  it('may get endpoints from those who read the state, where others can', () => {
    const output = 'output "vpc_id" { value = module.vpc.vpc_id }';
    const backend = 'terraform {\n  backend "s3" {}\n}';
    const text = network('enable_nat_gateway = false');
    expect(verdictsOf(`${text}${output}`)).toEqual(['fail missing']);
    expect(verdictsOf(`${text}${backend}\noutput "name" { value = module.eks.cluster_name }`)).toEqual([
      'fail missing',
    ]);
    const [first] = verdictsOf(`${text}${backend}\n${output}`);
    expect(first).toMatch(/^unverifiable/);
  });

  it('may have a way out where a variable decides', () => {
    const [first] = verdictsOf(`${network('enable_nat_gateway = var.nat')}\nvariable "nat" { type = bool }`);
    expect(first).toMatch(/^unverifiable/);
  });

  it('is given to a module that is not here', () => {
    const other = 'module "more" {\n  source = "example/private-endpoints/aws"\n  vpc_id = module.vpc.vpc_id\n}';
    const [first] = verdictsOf(`${network()}\n${other}`);
    expect(first).toMatch(/^unverifiable/);
  });

  it('is judged where the number of subnets is not known', () => {
    const text = network().replace(/private_subnets = .*/, 'private_subnets = var.ranges');
    expect(verdictsOf(`${text}\nvariable "ranges" { type = list(string) }`)).toEqual(['fail missing']);
  });

  it('is reached by its endpoints where a data source tells the zones', () => {
    const zones = `data "aws_availability_zones" "available" {}
locals {
  zones = slice(data.aws_availability_zones.available.names, 0, 3)
}
`;
    const text = `${zones}${network()
      .replace(/azs .*/, 'azs = local.zones')
      .replace(
        /private_subnets = .*/,
        'private_subnets = [for k, v in local.zones : cidrsubnet("10.0.0.0/16", 4, k)]',
      )}`;
    const endpoints = (tables: string) => `
module "endpoints" {
  source = "terraform-aws-modules/vpc/aws//modules/vpc-endpoints"
  vpc_id = module.vpc.vpc_id
  endpoints = merge(
    { s3 = { service = "s3", service_type = "Gateway", route_table_ids = ${tables} } },
    { for service in toset(["ec2", "ecr.api", "ecr.dkr", "sts"]) : service => {
      service             = service
      subnet_ids          = module.vpc.private_subnets
      private_dns_enabled = true
    } },
  )
}
`;
    expect(verdictsOf(text)).toEqual(['fail missing']);
    expect(verdictsOf(text + endpoints('module.vpc.private_route_table_ids'))).toEqual([]);
    expect(verdictsOf(text + endpoints('module.vpc.intra_route_table_ids'))[0]).toMatch(/^unverifiable/);
  });
});
