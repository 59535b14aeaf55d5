export { isGuardedByExistence } from './guards';
export * from './parser';
export * from './script';
export { ShellWord, isUnknownFragment, type Fragment, type TextFragment, type UnknownFragment } from './word';
export { filesWrittenBy, programName, type FileWrite } from './writes';
