#!/usr/bin/env node
'use strict';
// The command, as it starts: scripts/bundle.mjs puts it in the place of lib/cli/main.js.

// What takes long enough for the engine to optimize its code, and ends. It does so after code has run for ten times as long as by default, or more: a
// command is over before more pays. A third of the CPU time of a check of 2,000 files was that of the optimizer, whose thread has to share the two
// processors of a runner, and the check itself took no less time for it.
if (['check', 'upgrade', 'drift'].includes(process.argv[2])) {
  // By version of Node.js, whose engines name it differently. From 24 on they have a quicker optimizer before the thorough one, and nothing is gained.
  const flag = { 20: '--interrupt-budget=1000000', 22: '--invocation-count-for-turbofan=30000' };
  const ours = flag[process.versions.node.split('.', 1)[0]];
  if (ours !== undefined) require('node:v8').setFlagsFromString(ours);
}

const load = require('../bundle/index.js');

load.keepCompiled();
module.exports = load('cli/main');
