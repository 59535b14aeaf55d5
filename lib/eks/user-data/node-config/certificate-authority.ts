/** A problem of a certificate authority. */
export interface CertificateAuthorityProblem {
  readonly kind: 'certificate-authority' | 'certificate-authority-content' | 'certificate-authority-placeholder';
  /** As the end of "it …". */
  readonly message: string;
}

/**
 * The certificate authority as the EKS API gives it, out of a text that holds it otherwise: as PEM, with blanks in it, with more or less padding, or
 * in base64 of base64. Undefined where that isn't clear.
 */
export function correctedAuthority(value: string): string | undefined {
  const encoded = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
  const trimmed = value.trim();
  const [bare = '', ...rest] = trimmed.replaceAll(/\s/g, '').split(/={1,9}/);
  if (rest.some((piece) => piece !== '')) return undefined;
  const candidates = trimmed.startsWith(BEGIN_CERTIFICATE)
    ? [encoded(`${trimmed}\n`)]
    : [bare.padEnd(Math.ceil(bare.length / 4) * 4, '='), Buffer.from(bare, 'base64').toString('latin1').trim()];
  return candidates.find((one) => one !== value && judgeCertificateAuthority(one) === undefined);
}

const BEGIN = '-----BEGIN';
const BEGIN_CERTIFICATE = '-----BEGIN CERTIFICATE-----';

/**
 * Judges the text of a certificate authority as nodeadm decodes it: standard base64 with padding, in which line breaks don't
 * count (Go's `encoding/json` and `encoding/base64`). Text that decodes to anything but a certificate is told apart, because
 * documentation is full of placeholders.
 */
export function judgeCertificateAuthority(value: string): CertificateAuthorityProblem | undefined {
  const wrong = (message: string): CertificateAuthorityProblem => ({ kind: 'certificate-authority', message });
  if (value.trim() === '') return wrong('is empty');
  if (value.includes(BEGIN)) return wrong('is PEM text; nodeadm needs it base64-encoded, as the EKS API gives it');
  const base64 = value.replace(/[\r\n]/g, '');
  if (!isBase64(base64)) {
    if (isPlaceholder(value))
      return { kind: 'certificate-authority-placeholder', message: 'is a placeholder and no base64' };
    const rendered = value.includes('${') ? 'holds a "${…}" that nobody filled in, so it ' : '';
    return wrong(
      `${rendered}is no valid base64 (nodeadm: "illegal base64 data"), and nodeadm then discards all configuration of the user data`,
    );
  }
  const decoded = Buffer.from(base64, 'base64').toString('latin1');
  if (decoded.includes(BEGIN_CERTIFICATE)) return undefined;
  if (Buffer.from(decoded, 'base64').toString('latin1').includes(BEGIN))
    return wrong('is base64 of base64; one level is needed');
  return {
    kind: decoded.length <= LONGEST_PLACEHOLDER ? 'certificate-authority-placeholder' : 'certificate-authority-content',
    message: `holds no certificate: decoded, "${BEGIN_CERTIFICATE}" doesn't stand in it`,
  };
}

/** No certificate is that short. */
const LONGEST_PLACEHOLDER = 64;

/** What documentation and fixtures write in place of a certificate: `base64-encoded-ca`, `LS0tLS1CRUdJTi...`. */
function isPlaceholder(value: string): boolean {
  if (value.length > LONGEST_PLACEHOLDER || value.includes('${')) return false;
  return /(?:\.\.\.|…)$|(?:^|[-_ ])(?:base64|certificate|cert|ca|example|placeholder|dummy|fake|test|your)(?:[-_ ]|$)/i.test(
    value.trim(),
  );
}

/** Whether nodeadm's decoder takes a certificate authority, whatever it holds; otherwise it discards all configuration of the user data. */
export function decodesAsCertificateAuthority(value: string): boolean {
  return isBase64(value.replace(/[\r\n]/g, ''));
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
