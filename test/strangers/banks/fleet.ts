// Runs the three banks together: their servers, one set of books, the events that they send, and the configuration file for a
// service.
import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Books, type Order, type Rail } from './books.ts';
import { answerAsMonnify, MONNIFY_KEYS, monnifyEvent } from './monnify.ts';
import { answerAsNipBank, NIP_LOGIN } from './nip.ts';
import { answerAsPaystack, PAYSTACK_KEY, paystackEvent } from './paystack.ts';
import { type Notice, Plans } from './plan.ts';
import { Teller } from './teller.ts';
import { type RunningBank, serveBank } from './wire.ts';

interface SentNotice {
  readonly rail: Rail;
  readonly reference: string;
  readonly isForged: boolean;
  /** The status of the response; null if there was no response. */
  readonly status: number | null;
}

export interface Fleet {
  readonly books: Books;
  readonly plans: Plans;
  readonly notices: readonly SentNotice[];
  /** The account from which each rail pays, as `bank:number`. */
  readonly accounts: Readonly<Record<Rail, string>>;
  /** Sets the address that gets the banks' events from now on; null stops the events. */
  sendNoticesTo(baseUrl: string | null): void;
  notify(order: Order, notice: Notice): void;
  writeBanksFile(dir: string, mode: 'live' | 'test', timeoutSeconds: number): string;
  close(): Promise<void>;
}

const ACCOUNTS = {
  providus: { bank_code: 'providus-bank', number: '5400000018' },
  paystack: { bank_code: 'paystack-titan', number: '5400000025' },
  monnify: { bank_code: 'moniepoint-microfinance-bank', number: '5400000032' },
} as const;

const EVENTS = {
  paystack: { write: paystackEvent, header: 'x-paystack-signature', key: PAYSTACK_KEY },
  monnify: { write: monnifyEvent, header: 'monnify-signature', key: MONNIFY_KEYS.secretKey },
} as const;

export async function startFleet(): Promise<Fleet> {
  const books = new Books();
  const plans = new Plans();
  const notices: SentNotice[] = [];
  let target: string | null = null;

  const notify = (order: Order, { says, times = 1, isForged = false }: Notice) => {
    const { rail, reference } = order;
    if (target === null || rail === 'providus') return;
    const { write, header, key } = EVENTS[rail];
    const body = write(order, says);
    const signed = createHmac('sha512', isForged ? randomBytes(32) : key)
      .update(body)
      .digest('hex');
    const headers = { 'content-type': 'application/json', [header]: signed };
    for (let count = 0; count < times; count++) {
      fetch(`${target}/rails/${rail}/events`, { method: 'POST', headers, body }).then(
        ({ status }) => notices.push({ rail, reference, isForged, status }),
        () => notices.push({ rail, reference, isForged, status: null }),
      );
    }
  };

  const teller = (rail: Rail) => new Teller({ rail, books, plans, notify });
  const running: Record<Rail, RunningBank> = {
    providus: await serveBank(answerAsNipBank(teller('providus'), ACCOUNTS.providus.number)),
    paystack: await serveBank(answerAsPaystack(teller('paystack'))),
    monnify: await serveBank(answerAsMonnify(teller('monnify'))),
  };
  const accountText = ({ bank_code, number }: { bank_code: string; number: string }) =>
    `${bank_code}:${number}`;
  return {
    books,
    plans,
    notices,
    accounts: {
      providus: accountText(ACCOUNTS.providus),
      paystack: accountText(ACCOUNTS.paystack),
      monnify: accountText(ACCOUNTS.monnify),
    },
    sendNoticesTo: (baseUrl) => {
      target = baseUrl;
    },
    notify,
    writeBanksFile: (dir, mode, timeoutSeconds) => writeBanksFile(running, { dir, mode, timeoutSeconds }),
    close: async () => {
      await Promise.all(Object.values(running).map((bank) => bank.close()));
    },
  };
}

function writeBanksFile(
  running: Readonly<Record<Rail, RunningBank>>,
  {
    dir,
    mode,
    timeoutSeconds,
  }: { readonly dir: string; readonly mode: string; readonly timeoutSeconds: number },
): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const secret = (name: string, text: string) => {
    writeFileSync(path.join(dir, name), text, { mode: 0o600 });
    return name;
  };
  const options: Readonly<Record<Rail, object>> = {
    providus: {
      ...{ base_url: `${running.providus.url}/postingrest`, user_name: NIP_LOGIN.userName },
      ...{
        password_file: secret('nip-password', NIP_LOGIN.password),
        source_account_name: 'Stranger Limited',
      },
      own_bank: 'nip',
    },
    paystack: { base_url: running.paystack.url, secret_key_file: secret('paystack-key', PAYSTACK_KEY) },
    monnify: {
      base_url: running.monnify.url,
      api_key_file: secret('monnify-api-key', MONNIFY_KEYS.apiKey),
      secret_key_file: secret('monnify-secret-key', MONNIFY_KEYS.secretKey),
    },
  };
  const kinds: Readonly<Record<Rail, string>> = {
    providus: 'nip-bank',
    paystack: 'paystack',
    monnify: 'monnify',
  };
  const rails = (['providus', 'paystack', 'monnify'] as const).map((name) => ({
    ...{ mode, kind: kinds[name], name, account: ACCOUNTS[name] },
    options: { ...options[name], timeout_seconds: timeoutSeconds },
  }));
  const file = path.join(dir, 'banks.json');
  writeFileSync(file, JSON.stringify({ rails }), { mode: 0o600 });
  return file;
}
