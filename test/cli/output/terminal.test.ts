import { terminalOf, type Screen } from '../../../lib/cli/output/terminal';

const screen = (columns: number): Screen => ({ isTTY: true, columns });
const pipe: Screen = {};

describe('terminalOf', () => {
  it.each([
    ['a terminal', screen(120), {}, true],
    ['a dumb terminal', screen(120), { TERM: 'dumb' }, false],
    ['a pipe', pipe, {}, false],
    ['a terminal with NO_COLOR', screen(120), { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', screen(120), { NO_COLOR: '' }, true],
    ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
    ['a pipe with an empty FORCE_COLOR', pipe, { FORCE_COLOR: '' }, true],
    ['a terminal with FORCE_COLOR=0', screen(120), { FORCE_COLOR: '0' }, false],
    ['a terminal with both', screen(120), { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['a terminal with CLICOLOR=0', screen(120), { CLICOLOR: '0' }, false],
    ['a terminal with CLICOLOR', screen(120), { CLICOLOR: '1' }, true],
    ['a pipe with CLICOLOR', pipe, { CLICOLOR: '1' }, false],
    ['a pipe with CLICOLOR_FORCE', pipe, { CLICOLOR_FORCE: '1' }, true],
    ['a pipe with CLICOLOR_FORCE=0', pipe, { CLICOLOR_FORCE: '0' }, false],
    ['a terminal with CLICOLOR_FORCE=0', screen(120), { CLICOLOR_FORCE: '0' }, true],
    ['a pipe with CLICOLOR_FORCE and NO_COLOR', pipe, { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false],
  ])('colours for %s', (_, stream, env, colour) => {
    expect(terminalOf(stream, env).colour).toBe(colour);
  });

  it.each([
    [screen(72), 72],
    [screen(400), 100],
    [screen(38), 38],
    [screen(12), 20],
    [screen(0), 100],
    [pipe, 100],
  ])('keeps the width readable', (stream, width) => {
    expect(terminalOf(stream, {}).width).toBe(width);
  });
});
