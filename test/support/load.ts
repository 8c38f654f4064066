// Many clients that submit buys one after another, each on one keep-alive connection. They record the response for every
// reference, and also record a missing response.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitMs } from './patience.ts';
import { buyBody, type TestBusiness } from './service.ts';

export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Answered;
      readonly retryAfter?: string;
    }
  /** The connection was refused, so the client sent nothing. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost'; readonly code: string; readonly reusedConnection: boolean }
  /** There was no response within any reasonable time. */
  | { readonly kind: 'hung' };

interface Answered {
  readonly code?: string;
  readonly transaction?: { readonly transaction_id: string };
}

export interface LoadOptions {
  readonly baseUrl: string;
  readonly business: TestBusiness;
  readonly clients: number;
  /**
   * What a client does when the service asks it to close its connection. `reconnect`: it opens a new connection. `leave`: it
   * goes away, as if to another server.
   */
  readonly whenClosed?: 'reconnect' | 'leave';
}

export interface Load {
  /** The outcome for each reference. If the connection of a reference was refused, a client uses the reference again. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  count(is: (outcome: Outcome) => boolean): number;
  accepted(): number;
  waiting(): number;
  askedToClose(): number;
  stop(): Promise<void>;
}

const REFUSED_PAUSE_MS = 25;
/**
 * The average pause between two buys of a client, in milliseconds. Some requests are always in progress, and the machine still
 * has time for other tests. LOAD_PACE_MS=0 means no pause.
 */
const PACE_MS = Number(process.env.LOAD_PACE_MS ?? 15);

let loads = 0;

export function startLoad(options: LoadOptions): Load {
  const outcomes = new Map<string, Outcome>();
  const prefix = `load-${++loads}`;
  let stopping = false;
  let next = 0;
  let waiting = 0;
  let askedToClose = 0;
  const client = async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    let reference = `${prefix}-${next++}`;
    let wasAsked = false;
    while (!stopping) {
      waiting++;
      const { outcome, closing } = await submit(options, reference, agent);
      waiting--;
      if (closing && !wasAsked) askedToClose++;
      wasAsked ||= closing;
      if (outcome.kind === 'refused') {
        await sleep(REFUSED_PAUSE_MS);
        continue;
      }
      outcomes.set(reference, outcome);
      if (closing && options.whenClosed === 'leave') break;
      reference = `${prefix}-${next++}`;
      if (PACE_MS > 0) await sleep(2 * PACE_MS * Math.random());
    }
    agent.destroy();
  };
  const clients = Array.from({ length: options.clients }, client);
  const count = (is: (outcome: Outcome) => boolean) => [...outcomes.values()].filter(is).length;
  return {
    outcomes,
    count,
    accepted: () => count(isAccepted),
    waiting: () => waiting,
    askedToClose: () => askedToClose,
    stop: async () => {
      stopping = true;
      await Promise.all(clients);
    },
  };
}

export const isAccepted = (outcome: Outcome): boolean =>
  outcome.kind === 'answered' && outcome.status === 200;
export const hasStatus = (status: number) => (outcome: Outcome) =>
  outcome.kind === 'answered' && outcome.status === status;

/** Submits one buy. The same reference always has the same body. */
export async function submit(
  { baseUrl, business }: Pick<LoadOptions, 'baseUrl' | 'business'>,
  reference: string,
  agent?: http.Agent,
): Promise<{ readonly outcome: Outcome; readonly closing: boolean }> {
  const body = JSON.stringify(buyBody(business, { reference }));
  const headers = {
    'svc-sec-key': business.testKey,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve) => {
    const request = http.request(`${baseUrl}/transactions/v1/onramp`, { method: 'POST', agent, headers });
    const fail = (error: NodeJS.ErrnoException) => {
      const { code = error.message, reusedConnection } = {
        code: error.code,
        reusedConnection: request.reusedSocket,
      };
      const outcome: Outcome =
        code === 'HUNG'
          ? { kind: 'hung' }
          : code === 'ECONNREFUSED'
            ? { kind: 'refused' }
            : { kind: 'lost', code, reusedConnection };
      resolve({ outcome, closing: false });
    };
    request.on('error', fail);
    // This time is far longer than every time-out of the service. If a client waits longer, the service has forgotten its
    // request.
    request.setTimeout(limitMs('answer'), () =>
      request.destroy(Object.assign(new Error('hung'), { code: 'HUNG' })),
    );
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const retryAfter = response.headers['retry-after'];
        const outcome: Outcome = {
          kind: 'answered',
          status: response.statusCode!,
          body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Answered,
          ...(retryAfter !== undefined && { retryAfter }),
        };
        resolve({ outcome, closing: response.headers.connection === 'close' });
      });
    });
    request.end(body);
  });
}
