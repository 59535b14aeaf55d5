export * from './max-pods';
