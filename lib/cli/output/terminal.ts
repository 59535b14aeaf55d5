/** What a text report may use of a stream. */
export interface Terminal {
  readonly colour: boolean;
  readonly width: number;
}

/** What tells of a stream whether it is a terminal; `process.stdout` is one of these. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Logs and pages of CI have more room than the smallest terminals. */
const DEFAULT_WIDTH = 100;
/** On less, even single words don't fit. */
const MIN_WIDTH = 20;
const MAX_WIDTH = 100;

/**
 * Colours go to terminals only. `NO_COLOR` (not empty) turns them off, `FORCE_COLOR` (not `0`) turns them on
 * everywhere and wins, as in Node.js itself. `CLICOLOR=0` and `CLICOLOR_FORCE` (not `0`) say the same for those who set neither.
 */
export function terminalOf(stream: Screen, env: NodeJS.ProcessEnv = process.env): Terminal {
  const isTerminal = stream.isTTY === true;
  const { columns = 0 } = stream;
  return {
    colour: wantsColour(isTerminal, env),
    width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, isTerminal && columns > 0 ? columns : DEFAULT_WIDTH)),
  };
}

function wantsColour(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  if (!['', '0'].includes(env['CLICOLOR_FORCE'] ?? '')) return true;
  return isTerminal && env['TERM'] !== 'dumb' && env['CLICOLOR'] !== '0';
}
