// Jest's own runner of tests, which tells the process that started it of each test as it begins and ends. Nobody looks at that in a whole run, of
// which the results come suite by suite; forty thousand tests make it ten seconds of messages.
const { default: circus } = require('jest-circus/runner');

module.exports = (globalConfig, config, environment, runtime, path) =>
  circus(globalConfig, config, environment, runtime, path);
