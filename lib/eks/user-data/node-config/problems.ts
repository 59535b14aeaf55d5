/** What can be wrong with a NodeConfig. {@link NODE_CONFIG_PROBLEMS} says what each kind is about. */
export type NodeConfigProblemKind =
  /** No YAML, or YAML that nodeadm's reader refuses. */
  | 'syntax'
  /** Nothing stands in it. */
  | 'empty'
  /** `apiVersion` or `kind` is missing or another one. */
  | 'head'
  /** A value of a type that nodeadm can't decode. */
  | 'wrong-type'
  /** A second YAML document, which nodeadm doesn't read. */
  | 'further-document'
  /** A field that nodeadm drops. */
  | 'unknown-field'
  /** A field that nodeadm reads elsewhere, and drops here. */
  | 'misplaced-field'
  /** A certificate authority that nodeadm can't decode or that can't be one. */
  | 'certificate-authority'
  /** A certificate authority that decodes, but not to a certificate, as in documentation. */
  | 'certificate-authority-content'
  /** What stands in place of a certificate in fixtures and documentation. */
  | 'certificate-authority-placeholder'
  /** A service range that can't be one, or that gives a DNS address on which nothing answers. */
  | 'service-cidr'
  /** An instance store strategy on which the service that sets up the disks ends. */
  | 'strategy'
  /** A value that has no effect, or not the meant one. */
  | 'value'
  /** A value above what AWS recommends. */
  | 'ceiling'
  /** A label on which kubelet exits. */
  | 'reserved-label'
  /** A field that is set to nothing, which nodeadm takes for not set; only {@link validateNodeConfig} reports it. */
  | 'blank';

/** What a problem is about; each subject has a rule of its own. */
export type NodeConfigSubject =
  | 'decoding'
  | 'unknown-field'
  | 'certificate-authority'
  | 'service-cidr'
  | 'value'
  | 'label'
  | 'cluster';

interface ProblemMeaning {
  readonly subject: NodeConfigSubject;
  readonly severity: 'error' | 'warning' | 'info';
}

export const NODE_CONFIG_PROBLEMS: Readonly<Record<NodeConfigProblemKind, ProblemMeaning>> = {
  syntax: { subject: 'decoding', severity: 'error' },
  empty: { subject: 'decoding', severity: 'error' },
  head: { subject: 'decoding', severity: 'error' },
  'wrong-type': { subject: 'decoding', severity: 'error' },
  'further-document': { subject: 'decoding', severity: 'warning' },
  'unknown-field': { subject: 'unknown-field', severity: 'warning' },
  'misplaced-field': { subject: 'unknown-field', severity: 'error' },
  'certificate-authority': { subject: 'certificate-authority', severity: 'error' },
  'certificate-authority-content': { subject: 'certificate-authority', severity: 'warning' },
  'certificate-authority-placeholder': { subject: 'certificate-authority', severity: 'info' },
  'service-cidr': { subject: 'service-cidr', severity: 'error' },
  strategy: { subject: 'value', severity: 'error' },
  value: { subject: 'value', severity: 'warning' },
  ceiling: { subject: 'value', severity: 'warning' },
  'reserved-label': { subject: 'label', severity: 'error' },
  blank: { subject: 'cluster', severity: 'warning' },
};

/** What can stand there instead, where nobody has to decide: another name of the key, another value, or what is there in quotes. */
export type NodeConfigCorrection =
  | { readonly key: string }
  | { readonly value: string | number | boolean | readonly string[] }
  | 'quoted';

/** What is wrong with a NodeConfig, and where. */
export interface NodeConfigProblem {
  /** The keys and list indices that lead to the value; empty for the whole document. */
  readonly keys: readonly string[];
  /** The same as a dotted path: `spec.kubelet.flags.0`. */
  readonly path: string;
  readonly kind: NodeConfigProblemKind;
  /** As the end of "`path` …", or of "the NodeConfig …" without a path: "is a string; a list of strings is needed". */
  readonly message: string;
  /** @default - somebody has to decide */
  readonly instead?: NodeConfigCorrection;
}

export function nodeConfigProblem(
  keys: readonly string[],
  kind: NodeConfigProblemKind,
  message: string,
  instead?: NodeConfigCorrection,
): NodeConfigProblem {
  return { keys, path: keys.join('.'), kind, message, ...(instead === undefined ? {} : { instead }) };
}
