// One Horizon server over HTTP. The result "not found" counts only if the server itself returns it in the format of Horizon. A
// 404 of a proxy, a timeout and an unreadable body are failures and prove nothing.
import { type HorizonFields, isFields, UnreadableAnswer } from './fields.ts';

const TIMEOUT_MS = 10_000;

export interface Horizon {
  /** Undefined means that the server returned "not found". */
  get(path: string): Promise<HorizonFields | undefined>;
  /** Like `get`, but throws when the server returns "not found". */
  need(path: string): Promise<HorizonFields>;
  state(path: string): Promise<StateAnswer | undefined>;
  /** Returns every readable response, whatever its status code is. */
  post(path: string, form: Readonly<Record<string, string>>, timeoutMs?: number): Promise<HorizonAnswer>;
}

export interface HorizonAnswer {
  readonly status: number;
  readonly body: HorizonFields;
}

export interface StateAnswer {
  readonly body: HorizonFields;
  /** Null means that the response contains no readable ledger number. */
  readonly ledger: number | null;
}

/** Servers send this header with accounts and other state, but not with transactions, ledgers and lists of past events. */
const LEDGER_HEADER = 'latest-ledger';

/** The server did not respond, or it returned an error. The message contains the URL without path and credentials. */
export class HorizonError extends Error {
  override readonly name = 'HorizonError';
  /** Null means that the server did not respond. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

export function connectHorizon(url: string): Horizon {
  const { base, host, headers } = addressOf(url);

  const request = async (path: string, init: RequestInit, timeoutMs: number) => {
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      response = await fetch(`${base}${path}`, { ...init, signal, redirect: 'error' });
      text = await response.text();
    } catch (error) {
      // The original error may repeat the whole URL, which may contain a key.
      throw new HorizonError(`${host} did not answer: ${causeOf(error)}`);
    }
    const { status } = response;
    const answer: HorizonAnswer = { status, body: bodyOf(text, status, host) };
    return { answer, ledger: ledgerOf(response.headers.get(LEDGER_HEADER)) };
  };

  const state = async (path: string): Promise<StateAnswer | undefined> => {
    const { answer, ledger } = await request(path, { headers }, TIMEOUT_MS);
    const { status, body } = answer;
    if (status === 200) return { body, ledger };
    if (status === 404 && isNotFound(body)) return undefined;
    throw new HorizonError(`${host} answered ${status}${titleOf(body)}`, status);
  };
  const get = async (path: string) => (await state(path))?.body;

  return {
    get,
    need: async (path) => {
      const body = await get(path);
      if (body === undefined) throw new HorizonError(`${host} does not have ${path.split('?')[0]}`, 404);
      return body;
    },
    state,
    post: async (path, form, timeoutMs = TIMEOUT_MS) =>
      (await request(path, { method: 'POST', headers, body: new URLSearchParams(form) }, timeoutMs)).answer,
  };
}

/** A header with two values does not count. Proxies join values in this way. */
function ledgerOf(header: string | null): number | null {
  return header !== null && /^[1-9]\d{0,9}$/.test(header) ? Number(header) : null;
}

/** Credentials are moved to a header, because `fetch` refuses a URL with credentials. */
function addressOf(url: string) {
  const address = new URL(url);
  const { host, username, password } = address;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  // Tells caches in between not to respond.
  const headers: Record<string, string> = { accept: 'application/json', 'cache-control': 'no-cache' };
  if (username !== '') headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  address.username = '';
  address.password = '';
  address.search = '';
  address.hash = '';
  return { base: address.href.replace(/\/+$/, ''), host, headers };
}

function bodyOf(text: string, status: number, host: string): HorizonFields {
  try {
    const body: unknown = JSON.parse(text);
    if (isFields(body)) return body;
  } catch {
    // The error is reported below, without the body.
  }
  if (status === 200) throw new UnreadableAnswer(`${host} answered with something that is not a JSON object`);
  throw new HorizonError(`${host} answered ${status}`, status);
}

function isNotFound({ type, status }: HorizonFields): boolean {
  return (
    typeof type === 'string' && /(?:^|\/)not_found$/.test(type) && (status === undefined || status === 404)
  );
}

function titleOf({ title }: HorizonFields): string {
  return typeof title === 'string' ? `: ${title.slice(0, 80)}` : '';
}

function causeOf(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'it took too long';
  return typeof cause?.code === 'string' ? cause.code : 'the connection failed';
}
