// The message about a provider that gave no response: the host and the reason. It contains no other part of the URL, because
// the URL may include a key. It never contains the library's own text, which repeats the whole URL.
import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { ProviderFailure } from './answers.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};
const REVERTED: ReadonlySet<number> = new Set([3, -32015]);
const STATUSES: Readonly<Record<number, string>> = {
  401: ' (usually a wrong key)',
  403: ' (usually a wrong key)',
  429: ' (too many requests)',
};

export function providerFailureOf(method: string, host: string, error: unknown): ProviderFailure {
  const said = findCause(error, (each) => each instanceof RpcRequestError);
  if (said instanceof RpcRequestError)
    // An HTTP error code comes from a proxy in front of the node, not from the node.
    return new ProviderFailure(`${method}: error ${said.code}`, said.code < 400 || said.code > 599, {
      code: said.code,
      // Most nodes use a special error code for a revert. All other nodes return the data of the revert.
      reverted: REVERTED.has(said.code) || /^0x/.test(`${said.data}`),
    });
  return new ProviderFailure(`${method}: ${reasonOf(host, error)}`, false);
}

function reasonOf(host: string, error: unknown): string {
  const answered = findCause(error, (each) => each instanceof HttpRequestError && each.status !== undefined);
  if (answered instanceof HttpRequestError)
    return `${host} answered HTTP ${answered.status}${STATUSES[answered.status!] ?? ''}`;
  if (findCause(error, (each) => each instanceof TimeoutError) !== undefined)
    return `${host} gave no answer in time`;
  const { code } = (findCause(error, hasCode) ?? {}) as { code?: string };
  if (code === undefined) return `${host} gave an unreadable answer`;
  const isTls = /CERT|TLS|SSL|SIGNATURE/.test(code);
  const reason = REASONS[code] ?? (isTls ? 'its certificate is not accepted' : 'no connection');
  return `could not reach ${host}: ${reason} (${code})`;
}

function hasCode(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^\w+$/.test(error.code)
  );
}

function findCause(error: unknown, fits: (each: unknown) => boolean): unknown {
  for (let each = error; each !== undefined && each !== null; each = (each as Error).cause)
    if (fits(each)) return each;
  return undefined;
}
