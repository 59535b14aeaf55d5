export * from './eks-merge';
export * from './problem';
export * from './read';
export * from './render';
export * from './schema';
