// Picks the example for `cdk synth -c example=safe|misconfigured|platforms` in the project's root.
const { example = 'safe' } = JSON.parse(process.env.CDK_CONTEXT_JSON ?? '{}') as { example?: string };
if (example !== 'safe' && example !== 'misconfigured' && example !== 'platforms')
  throw new Error(`there is no example "${example}"; take safe, misconfigured or platforms`);
void import(`./${example}/app.ts`);
