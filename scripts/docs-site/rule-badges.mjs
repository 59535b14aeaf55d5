/** What of a rule one wants to know before reading: shown above its page. */

/** By the headings of the examples on a rule's page, which tests judge in each of these forms: `reaches` is all that is read into the same resources. */
const REACHES = [
  [/^### CloudFormation/m, ['CloudFormation', 'AWS CDK']],
  [/^### Terraform$/m, ['Terraform', 'Terraform plans', 'CDKTF and CDK Terrain']],
  [/^### Terraform plan$/m, ['Terraform plans']],
  [/^### eksctl$/m, ['eksctl']],
];

export function badgesOf(rule, subject) {
  const { severity, strictSeverity, since, examples = '', messages } = rule;
  const all = Object.values(messages);
  const repaired = all.filter(({ fix }) => fix.repairs !== undefined).length;
  const reached = new Set(REACHES.flatMap(([heading, names]) => (heading.test(examples) ? names : [])));
  return [
    { name: 'Severity', text: severity, style: severity },
    ...(strictSeverity === undefined
      ? []
      : [{ name: 'In preset strict', text: strictSeverity, style: strictSeverity }]),
    {
      name: 'Fixable by --fix',
      text: repaired === 0 ? 'no' : repaired === all.length ? 'yes' : 'in part',
      style: repaired === 0 ? 'plain' : 'good',
    },
    ...(reached.size === 0 ? [] : [{ name: 'Reaches', text: [...reached].join(', '), style: 'plain' }]),
    { name: 'Subject', text: subject, style: 'plain' },
    { name: 'Since', text: since, style: 'plain' },
  ].filter(({ text }) => text !== '');
}

export function toolBadgesOf({ severity }) {
  return [
    { name: 'Severity', text: severity, style: severity },
    { name: 'Reported by', text: 'the check itself, for every input', style: 'plain' },
  ];
}
