import { Unknown, type Source } from '../../../lib/value';
import { writtenCode } from '../../../lib/rules/parts/written-code';

const place: Source = { locate: () => ({ file: 'main.tf', line: 1, column: 1 }) };

/** The code of a size that is read from somewhere, in Terraform. */
function sizeFrom(expression: string): string {
  return writtenCode(new Unknown('it is decided later', place, `\${${expression}}`), '<GiB>', false).hcl;
}

it.each(['var.size', 'data.aws_ssm_parameter.size.value', 'data.aws_ssm_parameter.size[0].value'])(
  'what is the same for all stays: %s',
  (expression) => {
    expect(sizeFrom(expression)).toBe(expression);
  },
);

it.each(['each.value.size', 'each.key', 'count.index', 'block_device.value', 'block_device.value.size'])(
  'what a loop gives means nothing outside of it: %s',
  (expression) => {
    expect(sizeFrom(expression)).toBe('<GiB>');
  },
);
