export { isGuardedByExistence } from './guards';
export * from './parser';
export * from './script';
export { ShellWord, isUnknownFragment, type Fragment } from './word';
export { filesWrittenBy, programName, type FileWrite } from './writes';
