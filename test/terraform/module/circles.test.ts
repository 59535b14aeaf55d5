import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { skippedNote } from '../../needs';
import { configurations } from './configurations';

const reason =
  process.env['EKS_GUARDRAILS_TEST_TERRAFORM'] !== '1'
    ? 'EKS_GUARDRAILS_TEST_TERRAFORM=1 is not set'
    : spawnSync('terraform', ['version']).status !== 0
      ? 'there is no terraform on the PATH'
      : undefined;

/** A cluster with add-ons, and a role, as modules of the folder have them: what each output stands on is in the code. */
const MODULES = {
  'cluster/main.tf': `variable "name" {}
variable "addons" { default = {} }
variable "groups" { default = {} }
resource "terraform_data" "cluster" {
  input = var.name
}
resource "terraform_data" "addon" {
  for_each = var.addons
  input    = [terraform_data.cluster.output, each.value]
}
resource "terraform_data" "group" {
  for_each = var.groups
  input    = [terraform_data.cluster.output, each.value]
}
output "issuer" { value = terraform_data.cluster.output }
output "name" { value = var.name }
output "addons" { value = { for key, one in terraform_data.addon : key => one.output } }
output "groups" { value = { for key, one in terraform_data.group : key => one.output } }
`,
  'role/main.tf': `variable "issuer" {}
variable "name" { default = "role" }
locals { trust = "trust of \${var.issuer}" }
resource "terraform_data" "role" {
  input = local.trust
}
output "arn" { value = terraform_data.role.id }
output "name" { value = var.name }
output "trust" { value = local.trust }
`,
};

const cluster = (more: string) => `module "cluster" {\n  source = "./cluster"\n  ${more}\n}\n`;
const role = (more: string) => `module "role" {\n  source = "./role"\n  ${more}\n}\n`;

/** What Terraform plans, and what it refuses for a circle. */
const CASES: readonly (readonly [what: string, text: string, circle: string | undefined])[] = [
  [
    'an add-on with a role that trusts the issuer',
    cluster('name = "c"\n  addons = { cni = module.role.arn }') + role('issuer = module.cluster.issuer'),
    undefined,
  ],
  [
    'the role first',
    role('issuer = module.cluster.issuer') + cluster('name = "c"\n  addons = { cni = module.role.arn }'),
    undefined,
  ],
  [
    'a role by for_each, and add-ons that are merged',
    role('for_each = toset(["a", "b"])\n  issuer = "${module.cluster.issuer}-${each.key}"') +
      cluster('name = "c"\n  addons = merge({ x = 1 }, { for key, one in module.role : key => one.arn })'),
    undefined,
  ],
  [
    'groups of a cluster in its add-ons',
    cluster('name = "c"\n  groups = { a = 1 }\n  addons = { cni = module.cluster.groups["a"] }'),
    undefined,
  ],
  [
    'a name that is made of the role, which is named after the cluster',
    cluster('name = module.role.name') + role('issuer = "i"\n  name = module.cluster.name'),
    'module.cluster.var.name',
  ],
  [
    'a cluster that is named after the trust in it',
    cluster('name = module.role.trust') + role('issuer = module.cluster.issuer'),
    'module.cluster.terraform_data.cluster',
  ],
  [
    'add-ons in groups, and groups in add-ons',
    cluster('name = "c"\n  groups = { a = module.cluster.addons["a"] }\n  addons = { a = module.cluster.groups["a"] }'),
    'for_each of module.cluster.terraform_data.addon',
  ],
  [
    'a local value by way of a module',
    `locals {\n  name = module.role.name\n}\n${role('issuer = "i"\n  name = local.name')}resource "terraform_data" "x" {\n  input = local.name\n}\n`,
    'local.name',
  ],
  [
    'a number of modules that one of them tells',
    `module "role" {\n  source = "./role"\n  count  = length(module.role[0].name)\n  issuer = "i"\n}\nresource "terraform_data" "x" {\n  input = module.role[0].arn\n}\n`,
    'count of module.role',
  ],
];

const files = (text: string) => ({ 'main.tf': text, ...MODULES });

describe('modules that stand on each other', () => {
  it.each(CASES)('with %s', (_, text, circle) => {
    const read = configurations(files(text), { named: ['.'] });
    for (const address of read.addresses) read.show(address);
    const told = read.problems.filter((problem) => problem.includes('itself'));
    expect(told).toEqual(
      circle === undefined ? [] : [expect.stringContaining(`${circle} refers to itself in a circle: ${circle} → `)],
    );
  });

  (reason === undefined ? it : it.skip)(
    `are refused by Terraform where they are here${skippedNote(reason)}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'circles-'));
      try {
        for (const [what, text, circle] of CASES) {
          for (const [name, content] of Object.entries(files(text))) {
            mkdirSync(dirname(join(folder, name)), { recursive: true });
            writeFileSync(join(folder, name), content);
          }
          const terraform = (...args: string[]) => spawnSync('terraform', args, { cwd: folder, encoding: 'utf8' });
          expect(terraform('init', '-backend=false', '-no-color').status).toBe(0);
          const { stdout, stderr } = terraform('validate', '-no-color');
          expect([what, /Error: Cycle:/.test(stdout + stderr)]).toEqual([what, circle !== undefined]);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    120_000,
  );
});
