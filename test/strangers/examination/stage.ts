// Runs the service as a process in test mode, with the independent banks as its rails and a customer who sells. On these rails,
// test mode runs the same code as live mode. Only the tokens and networks are simulated.
import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { makeHome } from '../../support/home.ts';
import { until } from '../../support/patience.ts';
import { runCommand, type Sandbox, type ServiceProcess, startProcess } from '../../support/process.ts';
import { RAILS, type Rail } from '../banks/books.ts';
import { type Fleet, startFleet } from '../banks/fleet.ts';

/** This time-out is longer than the lease, so that a held response takes longer than the lease of the work. */
const TIMEOUT_SECONDS = 8;
const LEASE_MS = 3_000;
/** The range of amounts in naira for which each rail gets the payout first. */
const BANDS: Readonly<Record<Rail, readonly [from: string, to: string]>> = {
  providus: ['1000', '9999.99'],
  paystack: ['10000', '19999.99'],
  monnify: ['20000', '29999.99'],
};
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export interface Sale {
  readonly id: string;
  readonly account: string;
  readonly kobo: bigint;
}

export interface Stage {
  readonly fleet: Fleet;
  sell(order: { readonly rail: Rail; readonly number: number }): Promise<Sale>;
  stateOf(sale: Sale): Promise<string>;
  killAndRestart(): Promise<void>;
  resumeRails(): Promise<void>;
  command(...args: readonly string[]): Promise<string>;
}

/**
 * Returns the bank account of the n-th sell. Each sell has a different account, so that a bank's books show to which sell a
 * payment belongs.
 */
export function accountOf(number: number): string {
  return `01${String(number).padStart(8, '0')}`;
}

/** Each sell on a rail has a different amount, and no amount is in whole naira. */
function kobosOf(rail: Rail, number: number): bigint {
  return BigInt(BANDS[rail][0]) * 100n + BigInt(number) * 1_000n + 56n;
}

export async function setStage(t: TestContext): Promise<Stage> {
  const fleet = await startFleet();
  t.after(() => fleet.close());
  const home = await makeHome(t);
  const banksFile = fleet.writeBanksFile(path.join(home.root, 'banks'), 'test', TIMEOUT_SECONDS);
  const settings = { BANKS_FILE: banksFile, SETTLE_LEASE_MS: String(LEASE_MS), SANDBOX_PACE_MS: '100' };
  let service = await startProcess(t, { home, settings });
  const { business_id, link_tag, test_key } = service.sandbox();
  fleet.sendNoticesTo(service.baseUrl);
  const command = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(home, args, settings);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };
  await fund(fleet, command);
  const call = (method: 'GET' | 'POST', where: string, body?: object) =>
    callService({ service, key: test_key, method, where, body });
  return {
    fleet,
    command,
    sell: async ({ rail, number }) => {
      const account = accountOf(number);
      const kobo = kobosOf(rail, number);
      const { transaction } = await call('POST', '/transactions/v1/offramp', {
        ...{ business_id, link_tag, type: 'sell_ramp', amount: Number(`${kobo / 100n}.${kobo % 100n}`) },
        ...{ account_name: 'Adaeze Okafor', account_number: account, bank_name: 'GTBank' },
        ...{ network: 'Polygon', wallet_address: WALLET },
      });
      const id = transaction.transaction_id as string;
      await call('POST', '/sandbox/v1/deposits', { transaction_id: id });
      return { id, account, kobo };
    },
    stateOf: async ({ id }) => {
      const { transaction } = await call('GET', `/transactions/v1/${id}`);
      return transaction.state as string;
    },
    resumeRails: async () => {
      const { rails } = JSON.parse(await command('rails', 'list', '--json')) as {
        rails: { rail: string; state: string }[];
      };
      for (const { rail, state } of rails) {
        if (!state.startsWith('paused')) continue;
        await command('rails', 'resume', rail, '--mode', 'test', '--reason', 'the examination goes on');
      }
    },
    killAndRestart: async () => {
      service.kill('SIGKILL');
      await service.ended;
      service = await startProcess(t, { home, settings });
      fleet.sendNoticesTo(service.baseUrl);
    },
  };
}

/**
 * Adds naira for each rail to the ledger, and sets the routes. The first rail depends on the amount; after it, every rail may
 * get every amount.
 */
async function fund(fleet: Fleet, command: (...args: readonly string[]) => Promise<string>): Promise<void> {
  for (const [index, rail] of RAILS.entries()) {
    const amount = ['--amount', '500000000', '--account', fleet.accounts[rail]];
    await command('ledger', 'fund', '--mode', 'test', '--asset', 'NGN', ...amount);
    const route = ['rails', 'route', 'set', rail, '--mode', 'test'];
    const [from, to] = BANDS[rail];
    await command(...route, '--priority', '1', '--from', from, '--to', to);
    await command(...route, '--priority', String(index + 2));
  }
}

async function callService(asked: {
  readonly service: ServiceProcess;
  readonly key: Sandbox['test_key'];
  readonly method: 'GET' | 'POST';
  readonly where: string;
  readonly body: object | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API
}): Promise<any> {
  const { service, key, method, where, body } = asked;
  const answer = await fetch(`${service.baseUrl}${where}`, {
    method,
    headers: { 'svc-sec-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${where}: ${text}`);
  return JSON.parse(text);
}

/**
 * Waits until the service has queried the balance of every rail `times` times since a point in time. The service does so every
 * half minute.
 */
export async function untilProbed({ books }: Fleet, since: number, times: number): Promise<void> {
  const probes = (rail: Rail) =>
    books.calls.filter((call) => call.rail === rail && call.kind === 'balance' && call.at > since).length;
  await until(`every rail was probed ${times} times`, () => RAILS.every((rail) => probes(rail) >= times), {
    everyMs: 250,
  });
}
