// Tests the requests over the network. Every call that is part of a proof asks for finalized data, and the adapter concludes no
// more than a response shows.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { CLOCK_ADDRESS, clockAccount } from '../../../../../test/support/networks/solana-views.ts';
import type { SendStatus } from '../../../../ports/networks/network-payer.ts';
import { makeProviders } from '../../providers/providers.ts';
import type { SolanaSettings } from '../../settings/settings.ts';
import { makeConfirm } from '../observe/confirm.ts';
import { makeBroadcastAndAsk } from '../pay/broadcast-and-ask.ts';
import { readTreasury } from '../pay/payment-context.ts';
import type { SolanaChain } from './chain.ts';
import type { SolanaClient } from './client.ts';
import { connectSolana } from './connect-solana.ts';

const HASH = '5'.repeat(88);
const TREASURY = 'Vote111111111111111111111111111111111111111' as Address;
const ACCOUNT = 'Stake11111111111111111111111111111111111111' as Address;
const SLOTS_AHEAD = 100;

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

async function serve(t: TestContext, answers: Answers) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body) as Call & { readonly id: unknown };
    calls.push({ method, params });
    const result = answers[method]?.(params);
    const error = { code: -32_601, message: 'Method not found' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { calls, client: connectSolana(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}

/** A node uses `finalized` when a call sets no commitment. */
function commitmentOf({ params }: Call): unknown {
  const config = params.findLast((each) => typeof each === 'object' && !Array.isArray(each)) ?? {};
  return (config as { readonly commitment?: unknown }).commitment ?? 'finalized';
}

const context = { slot: 1_200 };
const clock = clockAccount(Date.now());
const EMPTY_CHAIN: Answers = {
  getEpochInfo: () => ({ absoluteSlot: 1_200, blockHeight: 1_100, epoch: 1, slotIndex: 1, slotsInEpoch: 2 }),
  isBlockhashValid: () => ({ context, value: false }),
  getSignatureStatuses: ([signatures]) => ({
    context,
    value: (signatures as string[]).map((each) => (each === HASH ? null : statusAt(Number(each.slice(4))))),
  }),
  getBlocksWithLimit: ([from, limit]) =>
    Array.from({ length: Number(limit) }, (_, index) => Number(from) + index).filter((slot) => slot <= 1_200),
  getBlock: ([slot]) => ({
    blockHeight: Number(slot) - SLOTS_AHEAD,
    blockhash: hashAt(Number(slot)),
    previousBlockhash: hashAt(Number(slot) - 1),
    parentSlot: Number(slot) - 1,
    signatures: [`vote${slot}`],
  }),
  getMultipleAccounts: ([addresses]) => ({
    context,
    value: (addresses as string[]).map((each) =>
      each === CLOCK_ADDRESS
        ? {
            owner: clock.program,
            executable: false,
            lamports: 1,
            data: [Buffer.from(clock.data).toString('base64'), 'base64'],
          }
        : null,
    ),
  }),
  getTransaction: () => null,
};

/** Our bytes contain the hash of the block at slot 950. */
function hashAt(slot: number): string {
  return slot === 950 ? '1'.repeat(32) : `hash${slot}`;
}

function statusAt(slot: number, changes: Readonly<Record<string, unknown>> = {}) {
  return { slot, confirmations: null, confirmationStatus: 'finalized', err: null, ...changes };
}

function stage(client: SolanaClient) {
  // The clock is stopped, so that a search through many blocks does not time out on a slow machine.
  const nowMs = Date.now();
  const clock = { now: () => nowMs };
  const chain = {
    settings: { agreeFromMinor: null, native: { asset: 'SOL', decimals: 9 } } as SolanaSettings,
    providers: makeProviders(['http://provider'], () => client, { clock, onTrouble: () => undefined }),
    mint: { address: 'mint' },
    treasury: TREASURY,
    treasuryAccount: ACCOUNT,
    clock,
    onTrouble: () => undefined,
  } as unknown as SolanaChain;
  const payments = [{ account: 'recipient', change: '5', opens: false }];
  const payload = JSON.stringify({ wire: '', blockhash: '1'.repeat(32), slot: '950', payments });
  const bytes = { hash: HASH, source: TREASURY, sequence: null, payload, bound: '1000', signedAtMs: 0 };
  return {
    chain,
    ask: (): Promise<SendStatus> =>
      makeBroadcastAndAsk(chain, { expired: () => undefined }).ask({
        versions: [bytes],
        orderIds: ['order'],
      }),
  };
}

/**
 * Calls that may use a lower commitment. The check whether a blockhash can still be used is only an additional guard and proves
 * nothing.
 */
const GUARDS = ['isBlockhashValid'];

test('threat 42: every call that proves a payment dead uses finalized data, and statuses are searched in the whole history', async (t) => {
  const { client, calls } = await serve(t, EMPTY_CHAIN);
  assert.equal((await stage(client).ask()).kind, 'dead');
  const methods = new Set(calls.map(({ method }) => method));
  for (const method of ['getEpochInfo', 'getBlocksWithLimit', 'getBlock', 'getSignatureStatuses'])
    assert.ok(methods.has(method), method);
  for (const call of calls)
    if (!GUARDS.includes(call.method)) assert.equal(commitmentOf(call), 'finalized', call.method);
  for (const { method, params } of calls)
    if (method === 'getSignatureStatuses') assert.deepEqual(params[1], { searchTransactionHistory: true });
});

test('threat 42: a block or a height that is only confirmed is no proof that a payment is dead', async (t) => {
  // For a commitment below `finalized` a node returns higher values.
  const { client } = await serve(t, {
    ...EMPTY_CHAIN,
    getEpochInfo: (params) => {
      const final = commitmentOf({ method: '', params }) === 'finalized';
      return { absoluteSlot: final ? 1_100 : 1_200, blockHeight: final ? 1_000 : 1_100 };
    },
  });
  assert.equal((await stage(client).ask()).kind, 'pending');
});

test('threat 45: a payment or a deposit that is only confirmed does not count as final', async (t) => {
  for (const confirmationStatus of ['processed', 'confirmed']) {
    const { client, calls } = await serve(t, {
      ...EMPTY_CHAIN,
      getSignatureStatuses: () => ({
        context,
        value: [statusAt(1_000, { confirmationStatus, confirmations: 3 })],
      }),
    });
    const { ask, chain } = stage(client);
    assert.deepEqual(await ask(), { kind: 'included', confirmations: 3 });
    const sighting = { txHash: HASH, txIndex: 1, address: 'owner', memo: null, amountMinor: 5n };
    assert.equal(await makeConfirm(chain)(sighting), 'pending');
    assert.ok(calls.every(({ method }) => method !== 'getTransaction'));
  }
});

test('threat 45: a transaction with a final status and the treasury balance are read with finalized commitment', async (t) => {
  const { client, calls } = await serve(t, {
    ...EMPTY_CHAIN,
    getSignatureStatuses: () => ({ context, value: [statusAt(1_000)] }),
  });
  const { ask, chain } = stage(client);
  assert.equal((await ask()).kind, 'unknown');
  await makeConfirm(chain)({ txHash: HASH, txIndex: 1, address: 'owner', memo: null, amountMinor: 5n });
  await readTreasury(chain, client);
  const asked = calls.filter(({ method }) => ['getTransaction', 'getMultipleAccounts'].includes(method));
  assert.equal(asked.length, 3);
  for (const call of asked) assert.equal(commitmentOf(call), 'finalized', call.method);
});

test('a block that the provider does not have is returned as undefined; any other error is thrown', async (t) => {
  const { client } = await serve(t, { getBlock: () => null });
  assert.equal(await client.block(5n), undefined);
  await assert.rejects((await serve(t, {})).client.block(5n));
});

test('a response with missing statuses is refused', async (t) => {
  const { client } = await serve(t, { getSignatureStatuses: () => ({ context, value: [null] }) });
  await assert.rejects(client.statuses([HASH, HASH]), /left statuses out/);
});

test('threats 42, 101: a balance is requested at the newest final slot, and a response with an older slot is refused', async (t) => {
  const { client, calls } = await serve(t, EMPTY_CHAIN);
  assert.equal((await client.finalAccounts([TREASURY], 1_200n)).slot, 1_200n);
  const asked = calls.at(-1)!;
  assert.equal(commitmentOf(asked), 'finalized');
  assert.equal((asked.params[1] as { readonly minContextSlot?: number }).minContextSlot, 1_200);
  await assert.rejects(client.finalAccounts([TREASURY], 1_201n), /older block/);
});
