// The customer on the local networks, as an HTTP server for this machine. It sends tokens to any address, creates wallets that
// can receive, and shows their balances. These are test tokens without value.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocalNetwork, TokensToSend } from './local-network.ts';

export interface RunningFaucet {
  readonly url: string;
  close(): Promise<void>;
}

interface FaucetAnswer {
  readonly status: number;
  readonly body: unknown;
}

const MAX_BODY_BYTES = 100_000;
const AMOUNT = /^[1-9]\d{0,38}$/;
const MEMO = /^\d{1,20}$/;

class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function startFaucet(
  networks: readonly LocalNetwork[],
  overview: (url: string) => unknown,
  port: number,
): Promise<RunningFaucet> {
  const server = createServer((request, response) => {
    answerRequest(networks, () => overview(urlOf(server)), request)
      .catch((error: Error) => {
        const status = error instanceof RefusedRequest ? error.status : 500;
        return { status, body: { error: error.message } };
      })
      .then((answered) => sendAnswer(response, answered));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: urlOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function sendAnswer(response: ServerResponse, { status, body }: FaucetAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}

async function answerRequest(
  networks: readonly LocalNetwork[],
  overview: () => unknown,
  request: IncomingMessage,
): Promise<FaucetAnswer> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [what = '', network = '', wallet = ''] = pathname.split('/').slice(1).map(decodeURIComponent);
  if (what === '' && request.method === 'POST')
    return okAnswer({ tx_hash: await sendDeposit(networks, await readBody(request)) });
  if (request.method !== 'GET')
    throw new RefusedRequest(405, 'POST / sends tokens; everything else is a GET.');
  if (what === '') return okAnswer(overview());
  if (what === 'wallets' && wallet === '') {
    const { name, wallet: make } = findNetwork(networks, network);
    return okAnswer({ network: name, wallet: await make() });
  }
  if (what === 'balances' && wallet !== '')
    return okAnswer(await readBalance(findNetwork(networks, network), wallet));
  throw new RefusedRequest(
    404,
    'There are GET /, /wallets/{network}, /balances/{network}/{wallet}, and POST /.',
  );
}

const okAnswer = (body: unknown): FaucetAnswer => ({ status: 200, body });

function findNetwork(networks: readonly LocalNetwork[], name: unknown): LocalNetwork {
  const wanted = String(name).toLowerCase();
  const found = networks.find((each) => each.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new RefusedRequest(404, `The networks here are ${networks.map((each) => each.name).join(', ')}.`);
}

async function readBalance({ name, received, decimals }: LocalNetwork, wallet: string): Promise<unknown> {
  let amountMinor: bigint;
  try {
    amountMinor = await received(wallet);
  } catch {
    throw new RefusedRequest(400, `This is no wallet on ${name}.`);
  }
  return {
    network: name,
    wallet,
    amount: decimalText(amountMinor, decimals),
    amount_minor: `${amountMinor}`,
  };
}

function decimalText(amountMinor: bigint, decimals: number): string {
  const digits = `${amountMinor}`.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

async function sendDeposit(
  networks: readonly LocalNetwork[],
  body: Record<string, unknown>,
): Promise<string> {
  const { id, network, address, memo = null, amount_minor: amountMinor } = body;
  if (typeof id !== 'string' || id === '' || id.length > 200)
    throw new RefusedRequest(
      400,
      'id must be a text of up to 200 characters: sent again, it is the same transfer.',
    );
  const { name, deposit: send } = findNetwork(networks, network);
  if (typeof address !== 'string') throw new RefusedRequest(400, 'address must be a text.');
  if (memo !== null && (typeof memo !== 'string' || !MEMO.test(memo)))
    throw new RefusedRequest(400, 'memo must be a whole number in quotes, or null.');
  if (typeof amountMinor !== 'string' || !AMOUNT.test(amountMinor))
    throw new RefusedRequest(
      400,
      'amount_minor must be a whole number in quotes, in the token’s smallest unit.',
    );
  const arriving: TokensToSend = { address, memo, amountMinor: BigInt(amountMinor) };
  return send(id, arriving).catch((error: Error) => {
    throw new RefusedRequest(400, `${name} did not take the transfer: ${error.message}`);
  });
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RefusedRequest(413, 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new RefusedRequest(400, 'The body must be a JSON object.');
}
