// Picks the example for `cdk synth -c example=safe|misconfigured` in the project's root.
const context: Record<string, unknown> = JSON.parse(process.env.CDK_CONTEXT_JSON ?? '{}') as Record<string, unknown>;
const example = context.example ?? 'safe';
if (example !== 'safe' && example !== 'misconfigured') throw new Error(`there is no example "${String(example)}"; take safe or misconfigured`);
void import(`./${example}/app.ts`);
