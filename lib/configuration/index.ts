export {
  defineConfig,
  type ConfigurationFileContent,
  type IgnoreContent,
} from './content';
export { loadConfigurationFile, loadNearestConfiguration, type ConfigurationFile } from './load';
export { mergeConfigurations, withConfigurationFile, type CheckConfiguration } from './merge';
export { ConfigurationFileError, type ConfigurationProblem } from './problems';
