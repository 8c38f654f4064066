// Masks secrets before a request is stored or logged: values that look like our keys, at any position, and values of fields whose
// names suggest a secret.

/** API keys, and secrets and signing keys of webhooks. In a path or a query the underscores may be percent-encoded. */
const SECRET_TEXT = /(sk(?:_|%5f)(?:live|test)|whsec|whsk)(?:_|%5f)[\w%+/=-]*/gi;
const SECRET_NAME =
  /secret|passw|passphrase|token|authori[sz]ation|credential|cookie|(?:^|[^a-z])(?:sec|api)?[_-]?keys?$|(?:api|secret|private|access)keys?$/i;
/** A bank account number in a path. Its last four digits stay visible. */
const ACCOUNT_IN_PATH = /(\/accounts\/)[^/?#]+(?=[^/?#]{4})/g;
const MASKED = '[redacted]';
/**
 * A value is searched for secrets only if its JSON, in lower case, contains one of these words. Most bodies contain none of them.
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

/** The JSON of a value with its secrets masked. */
export function maskJson(value: unknown): string {
  const json = JSON.stringify(value);
  const plain = json.toLowerCase();
  return SUSPICIOUS.some((each) => plain.includes(each)) ? JSON.stringify(maskValue(value)) : json;
}

/** The body reader refuses deep nesting, so the recursion is short. */
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

/** Path and query for the log. A query value that looks like a secret, or whose name suggests one, is masked. */
export function maskUrl(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return maskKeysAndAccounts(url);
  const pairs = [...new URLSearchParams(url.slice(start + 1))].map(([name, value]) => {
    const shown = isSecretName(name) ? MASKED : maskKeysAndAccounts(value);
    return `${encodeForDisplay(maskKeysAndAccounts(name))}=${encodeForDisplay(shown)}`;
  });
  return `${maskKeysAndAccounts(url.slice(0, start))}?${pairs.join('&')}`;
}

/** Encodes only characters that would end the value or are not printable, so that people can read the rest. */
function encodeForDisplay(text: string): string {
  return text.toWellFormed().replaceAll(/[\u0000-\u0020%&#+=\u007f]/g, encodeURIComponent);
}
