// The customer on the local networks, over HTTP on this machine: sends tokens to any address, makes wallets that can
// receive, and shows what they hold. These are play tokens without value.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arriving, LocalNetwork } from './network.ts';

export interface RunningFaucet {
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const MAX_BODY_BYTES = 100_000;
const AMOUNT = /^[1-9]\d{0,38}$/;
const MEMO = /^\d{1,20}$/;

/** The problem of a request, for its sender. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `overview`: the public facts of these networks. */
export async function startFaucet(
  networks: readonly LocalNetwork[],
  overview: (url: string) => unknown,
  port: number,
): Promise<RunningFaucet> {
  const server = createServer((request, response) => {
    answer(networks, () => overview(urlOf(server)), request)
      .catch((error: Error) => {
        const status = error instanceof Refused ? error.status : 500;
        return { status, body: { error: error.message } };
      })
      .then((answered) => reply(response, answered));
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

function reply(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}

async function answer(
  networks: readonly LocalNetwork[],
  overview: () => unknown,
  request: IncomingMessage,
): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [what = '', network = '', wallet = ''] = pathname.split('/').slice(1).map(decodeURIComponent);
  if (what === '' && request.method === 'POST')
    return ok({ tx_hash: await deposit(networks, await bodyOf(request)) });
  if (request.method !== 'GET') throw new Refused(405, 'POST / sends tokens; everything else is a GET.');
  if (what === '') return ok(overview());
  if (what === 'wallets' && wallet === '') {
    const { name, wallet: make } = find(networks, network);
    return ok({ network: name, wallet: await make() });
  }
  if (what === 'balances' && wallet !== '') return ok(await balance(find(networks, network), wallet));
  throw new Refused(404, 'There are GET /, /wallets/{network}, /balances/{network}/{wallet}, and POST /.');
}

const ok = (body: unknown): Answer => ({ status: 200, body });

function find(networks: readonly LocalNetwork[], name: unknown): LocalNetwork {
  const wanted = String(name).toLowerCase();
  const found = networks.find((each) => each.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new Refused(404, `The networks here are ${networks.map((each) => each.name).join(', ')}.`);
}

async function balance({ name, received, decimals }: LocalNetwork, wallet: string): Promise<unknown> {
  let amountMinor: bigint;
  try {
    amountMinor = await received(wallet);
  } catch {
    throw new Refused(400, `This is no wallet on ${name}.`);
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

async function deposit(networks: readonly LocalNetwork[], body: Record<string, unknown>): Promise<string> {
  const { id, network, address, memo = null, amount_minor: amountMinor } = body;
  if (typeof id !== 'string' || id === '' || id.length > 200)
    throw new Refused(400, 'id must be a text of up to 200 characters: sent again, it is the same transfer.');
  const { name, deposit: send } = find(networks, network);
  if (typeof address !== 'string') throw new Refused(400, 'address must be a text.');
  if (memo !== null && (typeof memo !== 'string' || !MEMO.test(memo)))
    throw new Refused(400, 'memo must be a whole number in quotes, or null.');
  if (typeof amountMinor !== 'string' || !AMOUNT.test(amountMinor))
    throw new Refused(400, 'amount_minor must be a whole number in quotes, in the token’s smallest unit.');
  const arriving: Arriving = { address, memo, amountMinor: BigInt(amountMinor) };
  return send(id, arriving).catch((error: Error) => {
    throw new Refused(400, `${name} did not take the transfer: ${error.message}`);
  });
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Refused(413, 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Refused(400, 'The body must be a JSON object.');
}
