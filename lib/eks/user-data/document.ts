import type { Unknown } from '../../value';
import type { TextCorrection } from './correction';
import type { SourceText } from './source-text';

/**
 * User data as the programs of a node find it. Four readers matter, each with its own idea of the same bytes: cloud-init
 * (AL2, AL2023), nodeadm (AL2023), Bottlerocket's early-boot-config, and EC2Launch (Windows).
 */

/** What a text is, or is meant to be, judged by how it begins and by what stands in it. */
export type UserDataFormat =
  /** Nothing but white space. */
  | 'empty'
  /** MIME multipart, well-formed or not. */
  | 'multipart'
  /** `#!…`, or text that was meant to begin so: with blanks or a byte order mark before it. */
  | 'shell-script'
  /** `#cloud-config`. */
  | 'cloud-config'
  /** A bare NodeConfig, YAML or JSON. */
  | 'node-config'
  /** Bottlerocket settings. */
  | 'toml'
  /** `<powershell>` or `<script>` blocks. */
  | 'windows'
  /** None of these: a script without `#!`, PowerShell without tags, other text. */
  | 'text'
  /** Bytes that no reader of a node understands. */
  | 'binary'
  /** Its beginning isn't known, so the format isn't. */
  | 'unknown';

/** What one part is for. */
export type PartKind =
  | 'node-config'
  | 'shell-script'
  | 'cloud-config'
  | 'boothook'
  | 'toml'
  | 'windows'
  | 'multipart'
  | 'text'
  | 'empty'
  | 'binary'
  | 'unknown';

/** One thing in user data that some program may act on; a document that isn't multipart has one. */
export interface UserDataPart {
  /** What it is, or is meant to be: a NodeConfig under another media type is a `node-config` too. */
  readonly kind: PartKind;
  /** Media type in lower case without parameters, as written; undefined outside of multipart documents and without Content-Type. */
  readonly mediaType: string | undefined;
  /** Offset in {@link UserDataDocument.text} of its first header line, or of its content if it has no headers. */
  readonly headerOffset: number;
  /** Offset in {@link UserDataDocument.text} at which its content starts, encoded or not. */
  readonly bodyOffset: number;
  /** The content, with any transfer encoding and compression taken off. */
  readonly body: SourceText;
  /** Whether nodeadm takes a NodeConfig from it; whether its YAML is right is another question. */
  readonly readByNodeadm: boolean;
  /** Whether cloud-init acts on it: runs it or applies it. Never true for a NodeConfig. */
  readonly readByCloudInit: boolean;
}

/** User data, decoded and taken apart. */
export interface UserDataDocument {
  /** The text, with every layer of base64 and gzip taken off that stood around the whole document. */
  readonly text: SourceText;
  /** Those layers, outermost first; the base64 that EC2 itself demands doesn't count. */
  readonly layers: readonly ('base64' | 'gzip')[];
  readonly format: UserDataFormat;
  /** In order, those that no program reads because of a defect included. A multipart within is followed by its own parts. */
  readonly parts: readonly UserDataPart[];
  /** What is wrong with the MIME structure; empty for other formats. */
  readonly defects: readonly MimeDefect[];
  /**
   * What keeps the MIME structure from being known: a header or boundary that is decided later. Then there are no defects, and the parts
   * are a guess.
   */
  readonly unknownStructure: Unknown | undefined;
}

/** Kinds of defects of a MIME document; the rows of the table in the rule's documentation. */
export type MimeDefectKind =
  | 'closed-early'
  | 'not-closed'
  | 'closing-line-glued'
  | 'boundary-not-found'
  | 'boundary-missing'
  | 'boundary-unquoted'
  | 'top-headers-without-blank-line'
  | 'part-headers-without-blank-line'
  | 'part-headers-malformed'
  | 'part-without-type'
  | 'part-type-ignored'
  | 'part-type-misspelt'
  | 'nested-multipart'
  | 'part-empty'
  | 'repeated-content-type'
  | 'mime-version-missing'
  | 'text-before-headers'
  | 'mixed-line-ends'
  | 'not-multipart'
  | 'transfer-encoding'
  | 'text-after-end';

/** What becomes of the document in one of its readers. */
export type Effect =
  /** Nothing happens. */
  | 'none'
  /** The reader ends with an error; nothing of the document counts. */
  | 'dies'
  /** The document or the part is discarded without a hard error. */
  | 'lost'
  /** The part is passed over. */
  | 'ignored'
  /** Shell parts don't run, and cloud-config isn't applied. */
  | 'not-run'
  /** A later part becomes text of an earlier one. */
  | 'swallowed';

/** A defect of the MIME structure. */
export interface MimeDefect {
  readonly kind: MimeDefectKind;
  /** Offset in {@link UserDataDocument.text} of the line that causes it. */
  readonly offset: number;
  /** One sentence: what is wrong, with line numbers of the user data, and what that does. */
  readonly message: string;
  /** What to write instead, as an imperative sentence. */
  readonly fix: string;
  /** The same as a change of the text. @default - somebody has to decide, or it is more than one change */
  readonly correction?: TextCorrection;
  readonly nodeadm: Effect;
  readonly cloudInit: Effect;
  /** The parts that are lost, ignored or swallowed by it. */
  readonly parts: readonly UserDataPart[];
  /** Other places of the story, as offsets in the text. */
  readonly related: readonly { readonly offset: number; readonly message: string }[];
}
