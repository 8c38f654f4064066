// One Horizon server over HTTP. That something is not there counts only when the server itself says so in its own words:
// a 404 of a proxy, a timeout and an unreadable body are all failures, which prove nothing.
import { type Fields, isFields, Unreadable } from './fields.ts';

const TIMEOUT_MS = 10_000;

export interface Horizon {
  /** Undefined: the server says that there is no such thing. */
  get(path: string): Promise<Fields | undefined>;
  /** What must be there. */
  need(path: string): Promise<Fields>;
  /** The answer whatever its status is, as long as it can be read. */
  post(path: string, form: Readonly<Record<string, string>>, timeoutMs?: number): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: Fields;
}

/** The server failed to answer, or answered that it cannot. Its address is named without path and credentials. */
export class HorizonFailed extends Error {
  override readonly name = 'HorizonFailed';
}

export function connectHorizon(url: string): Horizon {
  const { base, host, headers } = addressOf(url);

  const request = async (path: string, init: RequestInit, timeoutMs: number): Promise<Answer> => {
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      response = await fetch(`${base}${path}`, { ...init, signal, redirect: 'error' });
      text = await response.text();
    } catch (error) {
      // The error itself may repeat the whole address, and that may hold a key.
      throw new HorizonFailed(`${host} did not answer: ${causeOf(error)}`);
    }
    return { status: response.status, body: bodyOf(text, response.status, host) };
  };

  const get = async (path: string) => {
    const { status, body } = await request(path, { headers }, TIMEOUT_MS);
    if (status === 200) return body;
    if (status === 404 && isMissing(body)) return undefined;
    throw new HorizonFailed(`${host} answered ${status}${titleOf(body)}`);
  };

  return {
    get,
    need: async (path) => {
      const body = await get(path);
      if (body === undefined) throw new HorizonFailed(`${host} does not have ${path.split('?')[0]}`);
      return body;
    },
    post: (path, form, timeoutMs = TIMEOUT_MS) =>
      request(path, { method: 'POST', headers, body: new URLSearchParams(form) }, timeoutMs),
  };
}

/** Credentials go into a header: a request with them in its address is refused. */
function addressOf(url: string) {
  const address = new URL(url);
  const { host, username, password } = address;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (username !== '') headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  address.username = '';
  address.password = '';
  address.search = '';
  address.hash = '';
  return { base: address.href.replace(/\/+$/, ''), host, headers };
}

function bodyOf(text: string, status: number, host: string): Fields {
  try {
    const body: unknown = JSON.parse(text);
    if (isFields(body)) return body;
  } catch {
    // Told below, without repeating what came.
  }
  if (status === 200) throw new Unreadable(`${host} answered something that is no JSON object`);
  throw new HorizonFailed(`${host} answered ${status}`);
}

function isMissing({ type, status }: Fields): boolean {
  return (
    typeof type === 'string' && /(?:^|\/)not_found$/.test(type) && (status === undefined || status === 404)
  );
}

function titleOf({ title }: Fields): string {
  return typeof title === 'string' ? `: ${title.slice(0, 80)}` : '';
}

function causeOf(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'it took too long';
  return typeof cause?.code === 'string' ? cause.code : 'the connection failed';
}
