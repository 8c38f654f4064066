// Keeps two parts of an endpoint's response: text that is safe to store and show, and the waiting time that the endpoint
// requests. The response is untrusted and may contain a secret.
export const KEPT_BYTES = 4_096;

const REDACTED = '[redacted]';
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:whsec_|whsk_|[rs]k_(?:live|test)_)[A-Za-z0-9+/=_-]*/gi,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{6,}/gi,
  /\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*/g,
  /(?<=["']?\b(?:password|passwd|secret|token|api[_-]?key|authorization)["']?\s*[:=]\s*["']?)[^\s"',;&}]{4,}/gi,
];
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function answerText(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks);
  const kept = bytes.subarray(0, KEPT_BYTES);
  // If more text follows, a character that was cut is left out, so that no broken character is shown.
  const text = new TextDecoder().decode(kept, { stream: bytes.length >= KEPT_BYTES });
  const redacted = SECRETS.reduce((left, secret) => left.replace(secret, REDACTED), text);
  return cutToBytes(redacted.replace(UNSAFE, escapeCharacter));
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  return SHORT[character] ?? (code < 0x100 ? `\\x${hexText(code, 2)}` : `\\u${hexText(code, 4)}`);
}

function hexText(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** The text is cut again, because escapes and replacement characters are longer than the characters that they replace. */
function cutToBytes(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES));
  return text.slice(0, read);
}

const MOST_RETRY_AFTER_MS = 24 * 3_600_000;
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads seconds or an HTTP date, and returns at most 24 hours. Returns null if the header is missing, in the past, or invalid.
 */
export function retryAfterMs(value: string | string[] | undefined, nowMs: number): number | null {
  const waits = [value ?? []].flat().map((each) => parseWait(each.trim(), nowMs));
  const longest = Math.max(...waits.filter((wait) => wait > 0));
  return longest > 0 ? Math.min(longest, MOST_RETRY_AFTER_MS) : null;
}

function parseWait(text: string, nowMs: number): number {
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  return HTTP_DATE.test(text) ? Date.parse(text) - nowMs : Number.NaN;
}
