#!/usr/bin/env node
'use strict';
// The command, as it starts: scripts/bundle.mjs puts it in the place of lib/cli/main.js.

const { setFlagsFromString } = require('node:v8');

// What takes long enough for the engine to optimize its code, and ends. It does so after code has run for ten times as long as by default, or more: a
// command is over before more pays. A third of the CPU time of a check of 2,000 files was that of the optimizer, whose thread has to share the two
// processors of a runner, and the check itself took no less time for it.
if (['check', 'upgrade', 'drift'].includes(process.argv[2])) {
  // By version of Node.js, whose engines name it differently. From 24 on they have a quicker optimizer before the thorough one, and nothing is gained.
  const flag = { 20: '--interrupt-budget=1000000', 22: '--invocation-count-for-turbofan=30000' };
  const ours = flag[process.versions.node.split('.', 1)[0]];
  if (ours !== undefined) setFlagsFromString(ours);
}

// By default the engine begins with room for 1 MB of new objects and doubles it each time that they live on, as a model does: a check of 200 resources
// spent a fifth of its time in copying them. It takes all the room that it may have at its first step; and it doesn't forget code that ran once,
// which is kept for the next time.
setFlagsFromString('--semi-space-growth-factor=32');
setFlagsFromString('--no-flush-bytecode');

const load = require('../bundle/index.js');

load.keepCompiled();
module.exports = load('cli/main');
