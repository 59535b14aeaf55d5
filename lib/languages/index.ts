export { unreadableDocument, type DocumentPath, type ParsedDocument } from './document';
export { parseDocument } from './parse-document';
export type { Position } from './positions';
