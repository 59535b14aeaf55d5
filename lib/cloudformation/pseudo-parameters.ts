import { Absent, Known, type Plain, type Source, Unknown } from '../value';
import { urlSuffixOf } from '../knowledge/partition';
import type { Template } from './template';

/** The value of a pseudo parameter such as `AWS::Region`. */
export function pseudoParameter(name: string, template: Template, source: Source): Plain<string> {
  const known = pseudoValue(name, template);
  if (known !== undefined) return new Known(known, source, `${name} of the stack's environment`);
  if (name === 'AWS::NoValue') return new Absent(source);
  // In stacks without known environment the region may differ from stack to stack.
  return new Unknown(`${name} is not known before deployment`, source, `\${${name}}`, `${template.id}/${name}`);
}

function pseudoValue(name: string, template: Template): string | undefined {
  switch (name) {
    case 'AWS::Region':
      return template.region;
    case 'AWS::Partition':
      return template.partition;
    case 'AWS::URLSuffix':
      return template.region === undefined ? undefined : urlSuffixOf(template.region);
    case 'AWS::AccountId':
      return template.account;
    case 'AWS::StackName':
      return template.input.assembly === undefined || template.parent !== undefined ? undefined : template.stack;
    default:
      return undefined;
  }
}

const OF_AWS = /^\$\{AWS::(?:AccountId|Partition|Region|StackName|URLSuffix)\}$/;

/** Whether an unknown text is the name of something of AWS, its number or its domain. */
export function isNameOfAws({ text = '' }: Unknown): boolean {
  return OF_AWS.test(text);
}
