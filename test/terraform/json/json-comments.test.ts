import { parseJsonConfiguration } from '../../../lib/terraform/json';

const IGNORE = 'eks-guardrails:ignore imds-v1 -- meant';

/** The texts of comments and what they stand in. */
function placed(content: object | string): string[] {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return (parseJsonConfiguration(text, 'main.tf.json').comments?.placed ?? []).map(
    ({ comment, item }) =>
      `${item?.name ?? 'nothing'}: ${comment.text}${comment.below === undefined ? '' : ` | ${comment.below}`}`,
  );
}

const template = (body: object) => ({ resource: { aws_launch_template: { w: body } } });

describe('comments in Terraform in JSON', () => {
  it.each<[string, object | string, string[]]>([
    ['of a resource', template({ '//': IGNORE }), [`resource aws_launch_template.w: ${IGNORE}`]],
    [
      'of a block',
      template({ metadata_options: { '//': IGNORE, http_tokens: 'optional' } }),
      [`metadata_options: ${IGNORE}`],
    ],
    [
      'above blocks',
      template({ '//': IGNORE, metadata_options: {}, monitoring: {} }),
      [`resource aws_launch_template.w: ${IGNORE}`],
    ],
    ['below a block', template({ metadata_options: {}, '//': IGNORE }), [`resource aws_launch_template.w: ${IGNORE}`]],
    [
      'below a block within a block',
      template({ instance_market_options: { spot_options: {}, '//': IGNORE } }),
      [`instance_market_options: ${IGNORE}`],
    ],
    ['of a block in a list', template({ metadata_options: [{ '//': IGNORE }] }), [`0: ${IGNORE}`]],
    [
      'with others, the next of which may go on',
      template({ '//': ['about', IGNORE, '(until 2020-01-01)'] }),
      [`resource aws_launch_template.w: ${IGNORE} | (until 2020-01-01)`],
    ],
    [
      'in an object or a list within',
      template({ '//': { notes: [[IGNORE]] } }),
      [`resource aws_launch_template.w: ${IGNORE}`],
    ],
    [
      'under a key that is written with escapes',
      `{"resource": {"aws_launch_template": {"w": {"\\/\\/": "${IGNORE}"}}}}`,
      [`resource aws_launch_template.w: ${IGNORE}`],
    ],
    ['at nothing', { '//': IGNORE, resource: { '//': IGNORE } }, [`nothing: ${IGNORE}`, `nothing: ${IGNORE}`]],
    ['about something else', template({ '//': 'the workers' }), []],
    ['that are no comments', template({ tags: { note: IGNORE } }), []],
  ])('%s', (_, content, expected) => {
    expect(placed(content)).toEqual(expected);
  });
});
