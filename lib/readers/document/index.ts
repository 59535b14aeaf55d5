export { parseDocument, unreadableDocument, type DocumentPath, type ParsedDocument, type Position } from './document';
