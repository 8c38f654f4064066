// Removes keys from errors. URLs of providers contain keys in their path, in their query or before an @. Errors of a provider
// or a library may repeat these keys, and errors are logged and stored.
import { inspect } from 'node:util';

/** Shorter parts are names like `rpc` and `v2`. They are not keys, and occur in many messages. */
const SHORTEST_KEY = 8;
const SHORTEST_PASSWORD = 4;
const HIDDEN = '[hidden]';

/** All parts of a URL that may be a key, encoded and decoded, longest first. */
export function secretsInUrl(url: string): readonly string[] {
  const { pathname, searchParams, search, username, password } = new URL(url);
  const parts = [...pathname.split('/'), ...search.slice(1).split(/[&=]/), ...searchParams.values()];
  const keys = parts.flatMap(encodedAndDecoded).filter(({ length }) => length >= SHORTEST_KEY);
  const login = [username, password]
    .flatMap(encodedAndDecoded)
    .filter(({ length }) => length >= SHORTEST_PASSWORD);
  const basic = Buffer.from(`${decodeOrKeep(username)}:${decodeOrKeep(password)}`).toString('base64');
  const found = new Set([...keys, ...login, ...(username === '' ? [] : [basic])]);
  return [...found].toSorted((a, b) => b.length - a.length);
}

/**
 * Returns the same error if it contains no key. Otherwise returns an error of the same class, with the keys removed from its
 * message and stack.
 */
export function redactSecrets(error: unknown, secrets: readonly string[]): Error {
  if (!(error instanceof Error)) return new Error('it failed');
  const whole = inspect(error, { depth: 8, maxStringLength: null, maxArrayLength: null });
  if (!secrets.some((secret) => whole.includes(secret))) return error;
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  // All other parts of the error (a cause, headers, the whole response) are dropped.
  const clean = new Error(hide(error.message));
  clean.name = error.name;
  clean.stack = hide(error.stack ?? '');
  Object.setPrototypeOf(clean, Object.getPrototypeOf(error));
  return clean;
}

function encodedAndDecoded(text: string): readonly string[] {
  return [text, decodeOrKeep(text)];
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
