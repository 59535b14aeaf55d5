import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe('the built command', () => {
  it.each(scenarios)('behaves as in $name', ({ name, text, scenario, place }) => {
    expect(scenario.steps.length).toBeGreaterThan(0);
    const user = protect(scenario, place);
    // Programs of the user may end the process that they run in. Else to start one for each command would take most of the time, and tell the same.
    const hasProgram = Object.keys(scenario.files).some((file) => /\.[cm]?[jt]s$/.test(file));
    const steps = scenario.steps.map(({ command }, index) => ({
      command,
      transcript: transcriptOf(command, place, user, index === 0 || hasProgram ? startCommand : runCommand),
    }));
    const actual = formatScenario({ ...scenario, steps });
    // UPDATE_GOLDEN=1 writes what is there now; the difference is read in review.
    if (update) writeFileSync(join(folder, name), actual);
    else expect(actual).toBe(text);
  });
});
