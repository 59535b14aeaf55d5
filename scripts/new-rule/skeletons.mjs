// What a new rule begins with. Every text that its author owes is missing, and a test asks for each.

/** The module: it judges the Kubernetes version of clusters, in place of the setting that the rule is about. */
export function ruleModule({ subject, id, name, since }) {
  return `import { defineRule, resourceName } from '../../engine';
import { judgeCases, undecided, type Outcome } from '../parts/case-judgements';

/*
 * Source:
 */
export const ${name} = defineRule<'wrong'>({
  id: '${id}',
  subject: '${subject}',
  title: '',
  severity: 'warning',
  since: '${since}',
  messages: {
    wrong: {
      text: '',
      fix: {
        summary: '',
        code: { cloudformation: '', 'aws-cdk': '', terraform: '' },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const cluster of model.clusters) {
      yield* judgeCases(cluster, { version: cluster.version }, ({ version }): readonly Outcome<'wrong'>[] => {
        if (version.kind === 'unknown') return [undecided("its version isn't known", version)];
        if (version.kind === 'known') return [{ verdict: 'pass' }];
        return [{ verdict: 'fail', message: 'wrong', source: version.source, data: { cluster: resourceName(cluster) } }];
      });
    }
  },
});
`;
}

export function page({ id }) {
  const example = (language) => [
    'Wrong (`wrong`):',
    `\`\`\`${language}\n\`\`\``,
    'Right:',
    `\`\`\`${language}\n\`\`\``,
  ];
  return `${[
    `# ${id}`,
    '## What happens',
    '## How to recognise it',
    '## Why',
    '## Examples',
    '### CloudFormation',
    ...example('yaml'),
    '### Terraform',
    ...example('hcl'),
    "## What it can't see",
    '## When to ignore it',
    '## Sources',
  ].join('\n\n')}\n`;
}

/** The test, with a vector for each question that every rule is asked. */
export function ruleTest({ subject, id, name }) {
  return `import { ${name} } from '../../../lib/rules/${subject}/${id}';
import { CLUSTER, resources } from '../node-templates';
import { testRule } from '../rule-tester';

testRule(${name}, {
  valid: [
    { name: 'the correct configuration that a naive rule would fail', template: '' },
    { name: 'the setting as AWS wants it', template: '' },
    { name: 'the wrong setting of a resource that its own condition leaves out then', template: '' },
  ],
  invalid: [
    {
      name: 'the wrong setting fails, and the fix is applied',
      template: '',
      findings: [{ message: 'wrong', severity: 'warning', resource: '', at: '', says: [''] }],
      fixed: '',
    },
    {
      name: 'the default is wrong, too',
      template: '',
      findings: [{ message: 'wrong', severity: 'warning', resource: '', at: '' }],
    },
    {
      name: 'one branch of a condition is wrong, and is named',
      template: '',
      findings: [{ message: 'wrong', severity: 'warning', resource: '', at: '', says: ['This happens when'] }],
    },
  ],
  unverifiable: [
    { name: 'the setting comes from a parameter without default', template: '', resources: [''], because: '' },
  ],
  notApplicable: [{ name: 'what has no such setting', template: resources(CLUSTER) }],
});
`;
}
