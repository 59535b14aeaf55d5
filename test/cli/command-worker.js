// A thread that runs command lines one after the other, for test/cli/command-thread.ts: as lib/cli/main.ts does, but for what concerns the process.
const { Console } = require('node:console');
const { dirname, join } = require('node:path');
const { Readable } = require('node:stream');
const { workerData } = require('node:worker_threads');
const { program, port, signal } = workerData;

port.on('message', (request) => {
  answer(request).then(reply, (error) => reply({ error: error instanceof Error ? error.stack : String(error) }));
});

/** A module of lib/cli. Loaded late, so that what doesn't load is an answer, too, and nobody waits for ever. */
function moduleOf(name) {
  const module = require(program);
  // The bundle of the package is asked for its modules by their names.
  return typeof module === 'function' ? module(`cli/${name}`) : require(join(dirname(program), `${name}.ts`));
}

async function answer({ args, cwd, env, input }) {
  const { run } = moduleOf('program');
  const { guard, takesCommands } = moduleOf('output/screen');
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  // The thread that waits has changed the folder of the process; Node remembers another one here.
  process.cwd = () => cwd;
  const written = { stdout: [], stderr: [] };
  for (const [name, chunks] of Object.entries(written)) {
    process[name].write = (chunk, ...more) => {
      chunks.push(Buffer.from(chunk));
      const done = more.at(-1);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  }
  if (takesCommands()) [process.stdout, process.stderr].forEach(guard);
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
    configurable: true,
  });
  Object.assign(console, new Console(process.stderr, process.stderr));
  const exitCode = await run(args);
  const [stdout, stderr] = Object.values(written).map((chunks) => Buffer.concat(chunks).toString('utf8'));
  return { exitCode, stdout, stderr };
}

function reply(message) {
  port.postMessage(message);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}
