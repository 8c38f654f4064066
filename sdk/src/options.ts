// The options of a client. They are checked when the client is created. An error says whether the address or the key is wrong,
// but never shows the key.
import { invalidArgument } from './errors.ts';
import { RUNTIME_TIMERS, type Timers } from './transport/timers.ts';

export interface SliproadOptions {
  /** A key such as sk_test_… or sk_live_…. Keep it on your server, because anyone who has it can move your money. */
  readonly secretKey: string;
  /** The address of the service, for example https://sliproad.example. */
  readonly baseUrl: string;
  /** The address of the OTC rates, which have a separate port. Only `rates.otcBuy()` needs it. */
  readonly otcBaseUrl?: string | undefined;
  readonly businessId: string;
  readonly linkTag: string;
  /** The name of the header for the key, if the operator has changed it. */
  readonly secretKeyHeader?: string | undefined;
  /** The fetch function to use. The default is the fetch function of the runtime. */
  readonly fetch?: typeof fetch | undefined;
  /** The time limit in milliseconds of one attempt, until its whole response is read. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries for a request that is safe to repeat. With 0, the SDK does not retry. */
  readonly maxRetries?: number | undefined;
  /** A clock for tests. The default is the clock of the runtime. */
  readonly timers?: Timers | undefined;
}

export interface Settings {
  readonly secretKey: string;
  readonly baseUrl: string;
  readonly otcBaseUrl: string | undefined;
  readonly businessId: string;
  readonly linkTag: string;
  readonly secretKeyHeader: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly timers: Timers;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** The longest delay in milliseconds that the timers of the runtimes accept. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const MOST_RETRIES = 10;

export function readOptions(options: SliproadOptions): Settings {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument(
      'options',
      'new Sliproad() needs options: { secretKey, baseUrl, businessId, linkTag }.',
    );
  }
  const { otcBaseUrl, secretKeyHeader = 'svc-sec-key', timers = RUNTIME_TIMERS } = options;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(secretKeyHeader)) {
    throw invalidArgument(
      'secretKeyHeader',
      'secretKeyHeader must be the name of an HTTP header, for example svc-sec-key.',
    );
  }
  return {
    secretKey: readKey(options.secretKey),
    baseUrl: readUrl('baseUrl', options.baseUrl),
    otcBaseUrl: otcBaseUrl === undefined ? undefined : readUrl('otcBaseUrl', otcBaseUrl),
    businessId: readText('businessId', options.businessId),
    linkTag: readText('linkTag', options.linkTag),
    secretKeyHeader,
    fetch: readFetch(options.fetch),
    timeoutMs: readWhole('timeoutMs', options.timeoutMs, {
      fallback: DEFAULT_TIMEOUT_MS,
      least: 1,
      most: LONGEST_TIMEOUT_MS,
    }),
    maxRetries: readWhole('maxRetries', options.maxRetries, { fallback: 2, least: 0, most: MOST_RETRIES }),
    timers,
  };
}

/** If the key contained a character that is not valid in a header, the runtime's error would show the key. */
function readKey(value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  const wrong =
    typeof value === 'string' && value !== ''
      ? 'has a space, a line break or another character that is never in a key'
      : 'is missing';
  throw invalidArgument('secretKey', `secretKey ${wrong}. Give the whole key, sk_test_… or sk_live_….`);
}

function readUrl(field: string, value: unknown): string {
  let url: URL;
  try {
    url = new URL(value as string);
  } catch {
    throw invalidArgument(field, `${field} must be a full URL, for example https://sliproad.example.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalidArgument(field, `${field} must begin with https:// or http://.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw invalidArgument(field, `${field} must have no user name, password, query or fragment.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function readText(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalidArgument(
    field,
    `${field} is missing. The operator of the service has it; in the sandbox it is in data/sandbox.json.`,
  );
}

function readWhole(
  field: string,
  value: unknown,
  { fallback, least, most }: { fallback: number; least: number; most: number },
): number {
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  throw invalidArgument(field, `${field} must be a whole number from ${least} to ${most}.`);
}

/** Calls fetch without `this`, because some runtimes refuse a fetch that is called as a method of a different object. */
function readFetch(given: unknown): typeof fetch {
  if (given === undefined) return (input, init) => globalThis.fetch(input, init);
  if (typeof given !== 'function')
    throw invalidArgument('fetch', 'fetch must be a function like the runtime’s own.');
  return (input, init) => (given as typeof fetch)(input, init);
}
