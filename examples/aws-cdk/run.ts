// Picks the example for `cdk synth -c example=safe|misconfigured|plain|platforms` in the project's root.
const { example = 'safe' } = JSON.parse(process.env.CDK_CONTEXT_JSON ?? '{}') as { example?: string };
const EXAMPLES = ['safe', 'misconfigured', 'plain', 'platforms'];
if (!EXAMPLES.includes(example))
  throw new Error(`there is no example "${example}"; take one of ${EXAMPLES.join(', ')}`);
void import(`./${example}/app.ts`);
