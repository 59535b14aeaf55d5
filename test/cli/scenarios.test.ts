import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { share } from '../share';
import { runCommand, startCommand } from './built-command';
import { filesOf, formatScenario, parseScenario, protect, transcriptOf } from './scenario';
import { workspace } from './workspace';

const folder = join(__dirname, 'scenarios');
const update = process.env['UPDATE_GOLDEN'] === '1';

/** Each scenario with the folder that holds its files. */
const scenarios = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const scenario = parseScenario(text);
  return { name, text, scenario, place: workspace(filesOf(scenario)) };
});

/** From whose output a runner would take commands: that is seen to where a process starts. */
const FOR_ACTIONS = /^GITHUB_ACTIONS=/;

/** Of which the first command is a process of its own. To start one for each would take most of the time, and tell the same. */
const STARTED = new Set(share(scenarios.map(({ name }): [string] => [name])).map(([name]) => name));

describe('the built command', () => {
  it.each(scenarios)('behaves as in $name', ({ name, text, scenario, place }) => {
    expect(scenario.steps.length).toBeGreaterThan(0);
    const user = protect(scenario, place);
    // Programs of the user may end the process that they run in.
    const mayEnd = Object.values(scenario.files).some((content) => content.includes('process.exit('));
    const steps = scenario.steps.map(({ command }, index) => ({
      command,
      transcript: transcriptOf(
        command,
        place,
        user,
        mayEnd || FOR_ACTIONS.test(command) || (index === 0 && STARTED.has(name)) ? startCommand : runCommand,
      ),
    }));
    const actual = formatScenario({ ...scenario, steps });
    // UPDATE_GOLDEN=1 writes what is there now; the difference is read in review.
    if (update) writeFileSync(join(folder, name), actual);
    else expect(actual).toBe(text);
  });
});
