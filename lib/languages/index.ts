export { unreadableDocument, type DocumentPath, type ParsedDocument } from './document';
export { parseDocument, parseForEdits } from './parse-document';
export { YamlDocument } from './yaml/yaml-document';
export type { Position } from './positions';
