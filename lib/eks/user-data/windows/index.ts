export * from './blocks';
export * from './powershell';
export * from './problems';
export * from './read';
export * from './render';
