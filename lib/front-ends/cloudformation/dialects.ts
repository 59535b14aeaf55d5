import { acknowledgementId } from '../../value/acknowledgement-id';
import type { Dialect, FixDialect } from '../../value';
import { codeInCdk, codeInConstruct, hasConstruct, isL1 } from './cdk-code';
import { Cursor, member } from '../../cloudformation/cursor';
import { codeInProperties, codeInTemplate, codeOfParameter, codeOfUserData } from './template-code';
import { TEMPLATE_SETTINGS } from './template-settings';

const COMMON = { deployedBy: 'CloudFormation', stacks: 'stacks', scopeOfNames: 'folder' } as const;

const EDITING: Pick<FixDialect, 'editorOf' | 'editsTextsInJson' | 'whyNoEditor'> = {
  editorOf: () => TEMPLATE_SETTINGS,
  editsTextsInJson: true,
  whyNoEditor: '',
};

/** What only the user knows: `<key pair>`. Code with such a hole would be pasted with it, so words alone say what to do. */
const HOLE = /<(?!\/?(?:powershell|script|persist)\b)[a-z][\w ]*>|["']…["']/i;

function withoutHoles(code: string | undefined): string | undefined {
  return code === undefined || HOLE.test(code) ? undefined : code;
}

export const WRITTEN_BY_CDK = 'an app of the CDK writes this file: change the app';

/** Templates that people write. */
export const CLOUDFORMATION: Dialect = {
  ...COMMON,
  name: 'cloudformation',
  title: 'CloudFormation',
  unit: 'template',
  fixes: {
    ...EDITING,
    codes: ['cloudformation'],
    language: 'yaml',
    quote: '"',
    clusterReference: { pattern: /(!Ref |!GetAtt |\$\{)Cluster(?=[.}\s]|$)/gm, type: 'AWS::EKS::Cluster' },
    codeAt: (code, resource) => withoutHoles(codeInTemplate(code, resource)),
    hasName: (name, { source }) =>
      source instanceof Cursor && member(source.template.section('Resources')?.raw, name) !== undefined,
    codeWhereDecided: (code, resource, source) =>
      resource.source instanceof Cursor ? codeOfParameter(code, resource.source, source) : undefined,
    codeBeside: codeInProperties,
    codeOfUserData,
  },
  suppression: (ruleId) => ({
    where: 'In a CloudFormation template, on the resource',
    code: `Metadata:\n  eks-guardrails:\n    suppress:\n      - rule: ${ruleId}\n        reason: Say why, so that a later reader can check it\n        until: 2027-06-30 # optional`,
  }),
};

/** Templates that an app of the AWS CDK writes. */
export const AWS_CDK: Dialect = {
  ...COMMON,
  name: 'aws-cdk',
  title: 'AWS CDK',
  unit: 'stack',
  sign: /^cdk\.json$/,
  fixes: {
    ...EDITING,
    codes: ['aws-cdk'],
    language: 'ts',
    quote: "'",
    clusterReference: { type: 'AWS::EKS::Cluster' },
    codeAt: (code, resource, inTemplate, cluster) => withoutHoles(codeInCdk(code, inTemplate, resource, cluster)),
    codeBeside: codeInConstruct,
    hasName: hasConstruct,
    isByConstruct: (resource) => !isL1(resource),
    whyGenerated: WRITTEN_BY_CDK,
  },
  suppression: (ruleId) => ({
    where: 'In the AWS CDK, on the construct or any scope around it',
    code: `Validations.of(construct).acknowledge({\n  id: '${acknowledgementId(ruleId)}',\n  reason: 'Say why, so that a later reader can check it',\n});`,
  }),
};

/** The same for an app in another language than TypeScript and JavaScript: words alone say what to do. */
export const AWS_CDK_IN_OTHER_LANGUAGE: Dialect = { ...AWS_CDK, fixes: { ...AWS_CDK.fixes, codes: [] } };
