/** A block of code under the examples of a rule's page. */
export interface PageExample {
  /** What stands above it: `Terraform`. */
  readonly heading: string;
  readonly language: 'yaml' | 'ts' | 'hcl' | 'json';
  /** The message that the rule gives there, if it is a wrong one. */
  readonly message?: string;
  readonly text: string;
}

/** The headings of the examples, with the language that their blocks are in. */
const HEADINGS: ReadonlyMap<string, PageExample['language']> = new Map([
  ['### CloudFormation', 'yaml'],
  ['### CloudFormation, as the AWS CDK writes it', 'yaml'],
  ['### AWS CDK', 'ts'],
  ['### Terraform', 'hcl'],
  ['### Terraform plan', 'json'],
  ['### eksctl', 'yaml'],
]);

/**
 * The examples of a page: under each heading one that is wrong, and the same put right.
 * @throws an error if anything else stands there, because nothing would test it
 */
export function examplesOf(id: string, markdown: string): readonly PageExample[] {
  const examples: PageExample[] = [];
  for (const part of markdown.split(/^(?=### )/m).filter((text) => text.trim() !== '')) {
    const [heading = '', ...lines] = part.trimEnd().split('\n');
    const language = HEADINGS.get(heading);
    if (language === undefined)
      throw new Error(
        `the page ${id}.md: "${heading}" is no heading of examples; they are ${[...HEADINGS.keys()].join(', ')}`,
      );
    const fence = `\`\`\`${language}`;
    const [, message, wrong, right] =
      new RegExp(
        `^\\nWrong \\(\`([\\w-]+)\`\\):\\n\\n${fence}\\n([^]*?\\n)\`\`\`\\n\\nRight:\\n\\n${fence}\\n([^]*?\\n)\`\`\`$`,
      ).exec(lines.join('\n')) ?? [];
    if (message === undefined || wrong === undefined || right === undefined || /^```/m.test(wrong + right))
      throw new Error(
        `the page ${id}.md: under "${heading}" stand "Wrong (\`message\`):" with a block in ${fence} and "Right:" with another, and nothing else`,
      );
    const common = { heading: heading.slice('### '.length), language };
    examples.push({ ...common, message, text: wrong }, { ...common, text: right });
  }
  return examples;
}
