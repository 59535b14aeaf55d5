import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Engine {
  validateTemplate(template: object): {
    readonly diagnostics: readonly { readonly ruleId: string; readonly severity: string; readonly message: string }[];
  };
}

interface Validator {
  readonly CompositeEngine: new () => Engine;
  readonly TemplateContent: new (text: string, name: string) => object;
}

/** It takes seconds to start. */
let engine: Engine | undefined;

/** What the validation of templates by their schemas says that CDK brings, but for mere hints: `F3018 …`. */
export function schemaComplaints(template: string, name: string): string[] {
  const library = dirname(createRequire(__filename).resolve('aws-cdk-lib/package.json'));
  const inside = createRequire(join(library, 'index.js'));
  const { CompositeEngine, TemplateContent } = inside('@aws/cloudformation-validate') as Validator;
  engine ??= new CompositeEngine();
  return engine
    .validateTemplate(new TemplateContent(template, name))
    .diagnostics.filter(({ severity }) => severity !== 'INFO')
    .map(({ ruleId, message }) => `${ruleId} ${message}`);
}
