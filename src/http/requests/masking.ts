// Masks secrets before a request is stored or logged. A secret is a value that looks like one of our keys, at any position, or
// the value of a field whose name suggests a secret.

/**
 * Matches API keys, and the secrets and signing keys of webhooks. In a path or a query, their underscores may be
 * percent-encoded.
 */
const SECRET_TEXT = /(sk(?:_|%5f)(?:live|test)|whsec|whsk)(?:_|%5f)[\w%+/=-]*/gi;
const SECRET_NAME =
  /secret|passw|passphrase|token|authori[sz]ation|credential|cookie|(?:^|[^a-z])(?:sec|api)?[_-]?keys?$|(?:api|secret|private|access)keys?$/i;
/** Matches a bank account number in a path, except its last four digits, which stay visible. */
const ACCOUNT_IN_PATH = /(\/accounts\/)[^/?#]+(?=[^/?#]{4})/g;
const MASKED = '[redacted]';
/**
 * The code searches a value for secrets only if its JSON, in lower case, contains one of these words. Most bodies contain none
 * of them.
 */
const SUSPICIOUS = 'key|secret|token|sk_|sk%|whs|passw|passphrase|authori|credential|cookie'.split('|');

export function maskKeysAndAccounts(text: string): string {
  return text
    .replaceAll(SECRET_TEXT, (_found, kind: string) => `${kind.replace(/%5f/i, '_')}_…`)
    .replaceAll(ACCOUNT_IN_PATH, '$1…');
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

export function maskJson(value: unknown): string {
  const json = JSON.stringify(value);
  const plain = json.toLowerCase();
  return SUSPICIOUS.some((each) => plain.includes(each)) ? JSON.stringify(maskValue(value)) : json;
}

/** The recursion is short, because the body reader refuses deep nesting. */
function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskKeysAndAccounts(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskValue);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      maskKeysAndAccounts(name),
      isSecretName(name) && each !== null ? MASKED : maskValue(each),
    ]),
  );
}

/**
 * Returns the path and query for the log. A query value that looks like a secret, or whose name suggests a secret, is masked.
 */
export function maskUrl(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return maskKeysAndAccounts(url);
  const pairs = [...new URLSearchParams(url.slice(start + 1))].map(([name, value]) => {
    const shown = isSecretName(name) ? MASKED : maskKeysAndAccounts(value);
    return `${encodeForDisplay(maskKeysAndAccounts(name))}=${encodeForDisplay(shown)}`;
  });
  return `${maskKeysAndAccounts(url.slice(0, start))}?${pairs.join('&')}`;
}

/** Encodes only characters that would end the query value or that are not printable, so that people can read the text. */
function encodeForDisplay(text: string): string {
  return text.toWellFormed().replaceAll(/[\u0000-\u0020%&#+=\u007f]/g, encodeURIComponent);
}
