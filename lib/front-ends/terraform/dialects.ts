import type { Dialect, Resource } from '../../value';
import { codeAtLine, codeInApp, codeInConfiguration, codeWhereDecided } from './fix-code';
import { propertyOf, tokenIn } from './pulumi-names';
import type { TerraformInstance } from '../../terraform/instance';

declare module '../../value/dialect' {
  interface DialectNames {
    /** Not written in: code for the call of a module that makes the resource. */
    readonly 'terraform-module': true;
    readonly pulumi: true;
  }
}

const COMMON = {
  deployedBy: 'Terraform',
  ofProviders: { plan: 'plan', nameOf: (argument) => argument },
  scopeOfNames: 'stack',
} as const satisfies Partial<Dialect>;

/** Whether an object of Kubernetes stands there as a text of YAML. */
function isYaml(resource: Resource): boolean {
  return (
    'kind' in resource &&
    resource.kind === 'manifest' &&
    'isWrittenInHcl' in resource &&
    resource.isWrittenInHcl === false
  );
}

export const WRITTEN_BY_CDKTF = 'an app of CDKTF writes this file: change the app';

/** Configurations that people write, and their plans. */
export const TERRAFORM: Dialect = {
  ...COMMON,
  name: 'terraform',
  title: 'Terraform',
  unit: 'module',
  stacks: 'root modules',
  hasPathsForStacks: true,
  inputOf: rootModuleOf,
  sign: /^[^.#].*\.(?:tf|tofu)(?:\.json)?$/,
  suppression: (ruleId) => ({
    where: 'In Terraform, above the resource, the block or the call of a module',
    code: `# eks-guardrails:ignore ${ruleId} -- say why, so that a later reader can check it (until 2027-06-30)`,
  }),
  fixes: {
    codes: ['terraform'],
    codesAt: (resource) =>
      resource.moduleInputs !== undefined
        ? ['terraform-module', 'terraform']
        : isYaml(resource)
          ? ['kubernetes']
          : ['terraform'],
    clusterReference: { type: 'aws_eks_cluster' },
    codeAt: (code, resource, _, cluster) => (isYaml(resource) ? code : codeInConfiguration(code, resource, cluster)),
    codeWhereDecided: (code, _, source) => codeWhereDecided(code, source),
    codeBeside: codeAtLine,
    language: 'hcl',
    quote: '"',
    editorOf: (file) =>
      /\.(?:tf|tofu)$/.test(file) ? 'hcl' : /\.(?:tf|tofu)\.json$/.test(file) ? 'terraform-json' : undefined,
    whyNoEditor: 'this is a plan: change the configuration and plan again',
  },
};

/** Configurations that an app of CDKTF or CDK Terrain writes. */
export const CDKTF: Dialect = {
  ...COMMON,
  name: 'cdktf',
  title: 'CDK for Terraform',
  unit: 'stack',
  stacks: 'stacks',
  sign: /^cdkt[fn]\.json$/,
  suppression: (ruleId) => ({
    where: 'In CDKTF and CDK Terrain, on the construct or any scope around it',
    code: `EksGuardrails.acknowledge(construct, {\n  rule: '${ruleId}',\n  reason: 'Say why, so that a later reader can check it',\n  until: '2027-06-30', // optional\n});`,
  }),
  fixes: {
    ...TERRAFORM.fixes,
    codes: ['cdktf', 'terraform'],
    codesAt: ({ moduleInputs }) => (moduleInputs === undefined ? ['cdktf', 'terraform'] : []),
    codeAt: (code, resource, _, cluster) => codeInApp(code, resource, cluster, 'cdktf'),
    codeWhereDecided: () => undefined,
    language: 'ts',
    whyGenerated: WRITTEN_BY_CDKTF,
  },
};

/** Those of CDK Terrain, which has the same API in packages of another name. */
const CDKTN: Dialect = {
  ...CDKTF,
  title: 'CDK Terrain',
  fixes: { ...CDKTF.fixes, codeAt: (code, resource, _, cluster) => codeInApp(code, resource, cluster, 'cdktn') },
};

/**
 * Programs of Pulumi, of which previews and states are read. They are written in many languages, so that fixes have no code; resources are those of
 * Terraform's provider.
 */
export const PULUMI: Dialect = {
  name: 'pulumi',
  title: 'Pulumi',
  deployedBy: 'Pulumi',
  typeOf: ({ id }) => tokenIn(id),
  ofProviders: { plan: 'preview', nameOf: propertyOf },
  unit: 'stack',
  stacks: 'stacks',
  hasPathsForStacks: true,
  scopeOfNames: 'stack',
  sign: /^Pulumi\.ya?ml$/,
  suppression: (ruleId) => ({
    where: 'Of a preview or state of Pulumi, in the configuration file',
    code: `ignores:\n  - rule: ${ruleId}\n    resource: aws:eks/nodeGroup:NodeGroup::workers\n    reason: say why, so that a later reader can check it\n    until: 2027-06-30 # optional`,
  }),
  fixes: {
    codes: [],
    language: 'yaml',
    quote: '"',
    editorOf: () => undefined,
    whyNoEditor: 'this is a preview or a state of Pulumi: change the program and preview again',
  },
};

export const DIALECT_OF: Readonly<Record<TerraformInstance['frontEnd'], Dialect>> = {
  terraform: TERRAFORM,
  cdktf: CDKTF,
  cdktn: CDKTN,
  pulumi: PULUMI,
};

/** The folder of a root module, with all its modules; undefined for what a plan holds. */
function rootModuleOf({ stack, source }: Resource): string | undefined {
  if (stack === '' || !/\.(?:tf|tofu)(?:\.json)?$/i.test(source.locate().file)) return undefined;
  // A root module of which a single file is read is called by that.
  return stack.replace(/(?:^|[\\/])[^\\/]*\.(?:tf|tofu)(?:\.json)?$/i, '') || '.';
}
