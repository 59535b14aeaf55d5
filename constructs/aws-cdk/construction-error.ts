export { ConstructionError, refuse } from '../common/construction-error';
