// Jest's own runner of tests, which tells the process that started it of each test as it begins and ends. Nobody looks at that in a whole run, of
// which the results come suite by suite; forty thousand tests make it ten seconds of messages.
const { default: circus } = require('jest-circus/runner');

module.exports = (globalConfig, config, environment, runtime, path) => {
  // As if Jest had compiled it: a worker keeps the map of such a file, and would read any other, with its seven megabytes, anew for each suite.
  const { bundle } = config.testEnvironmentOptions;
  runtime.getSourceMaps().set(bundle, `${bundle}.map`);
  return circus(globalConfig, config, environment, runtime, path);
};
