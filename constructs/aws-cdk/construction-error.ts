export { ConstructionError, refuse } from '../engine-neutral/construction-error';
