// Picks the example: `EXAMPLE=misconfigured npx cdktf synth` in this folder, or `npx tsx run.ts misconfigured`. Without a name it is the safe one.
const example = process.argv[2] ?? process.env.EXAMPLE ?? 'safe';
const EXAMPLES = ['safe', 'misconfigured', 'platforms'];
if (!EXAMPLES.includes(example))
  throw new Error(`there is no example "${example}"; take one of ${EXAMPLES.join(', ')}`);
void import(`./${example}/main.ts`);
