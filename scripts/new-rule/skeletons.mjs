// What a new rule begins with. Every text that its author owes is missing, and a test asks for each.

/** The module: it judges the Kubernetes version of clusters, in place of the setting that the rule is about. */
export function ruleModule({ subject, id, name, since }) {
  return `import { defineRule, resourceName } from '../../engine';
import { casesOf } from '../../eks';

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
      for (const { when, values } of casesOf(cluster, { version: cluster.version })) {
        const { version } = values;
        const common = { resource: cluster, source: version.source, when };
        if (version.kind === 'unknown') {
          yield { ...common, verdict: 'unverifiable', reason: \`its version isn't known: \${version.reason}\` };
        } else if (version.kind === 'absent') {
          yield { ...common, verdict: 'fail', message: 'wrong', data: { cluster: resourceName(cluster) } };
        } else {
          yield { ...common, verdict: 'pass' };
        }
      }
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
