export {
  configurationSchema,
  defineConfig,
  SCHEMA_URL,
  type ConfigurationFileContent,
  type IgnoreContent,
} from './content';
export { CONFIGURATION_FILE_NAMES, findConfigurationFile } from './find';
export { contentProblems, loadConfigurationFile, loadNearestConfiguration, type ConfigurationFile } from './load';
export { configurationFileFor, mergeConfigurations, withConfigurationFile, type CheckConfiguration } from './merge';
export { ConfigurationFileError, type ConfigurationProblem } from './problems';
