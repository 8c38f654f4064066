// Tests watching deposit accounts with providers whose responses the test sets. Deposits are found in spite of transactions of
// third parties and missing responses of one provider.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { address, getAddressDecoder } from '@solana/kit';
import { AccountState, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { CLOCK_ADDRESS, clockAccount } from '../../../../../test/support/networks/solana-views.ts';
import type { DepositAddresses } from '../../../../ports/networks/network-observer.ts';
import { makeProviders } from '../../providers/providers.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { HistoryEntry, SolanaClient } from '../rpc/client.ts';
import { HISTORY_PAGE } from '../rpc/history-calls.ts';
import { tokenAccountOf } from '../rpc/token-account.ts';
import { makeHistoryGaps } from './account-looks.ts';
import { makeObserve } from './deposits.ts';

const START_MS = 1_700_000_000_000;
const LOOK_MS = 3_000;
const OWNER = address('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM');
const TREASURY = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const MINT = {
  address: address('So11111111111111111111111111111111111111112'),
  program: TOKEN_PROGRAM_ADDRESS,
  decimals: 2,
} as SolanaChain['mint'];
const ACCOUNT = await tokenAccountOf(MINT, OWNER);
const WATCH = { recent: async () => [OWNER], ours: async () => new Set<string>() };

function providerOf(entries: number, more: Partial<SolanaClient> = {}): SolanaClient {
  const listed = Array.from({ length: entries }, (_, index): HistoryEntry => {
    return { signature: `s${index}`, slot: BigInt(index), final: true, failed: false, blockTimeMs: null };
  }).toReversed();
  const held = { program: MINT.program, executable: false, lamports: 1n, data: new Uint8Array(165) };
  const client: Partial<SolanaClient> = {
    accounts: async (asked) =>
      asked.map((each) =>
        each === CLOCK_ADDRESS ? clockAccount(START_MS) : each === ACCOUNT && entries > 0 ? held : null,
      ),
    history: async (account, { until, before }) => {
      if (account !== ACCOUNT) return [];
      const start = before === null ? 0 : listed.findIndex(({ signature }) => signature === before) + 1;
      const end = until === null ? -1 : listed.findIndex(({ signature }) => signature === until);
      return listed.slice(start, end < 0 ? undefined : end).slice(0, HISTORY_PAGE);
    },
    transaction: async (signature) => transactionOf(signature === listed[0]?.signature ? '500' : null),
    tokenAccounts: async () => [],
    ...more,
  };
  return client as SolanaClient;
}

function transactionOf(amount: string | null) {
  const balance = { accountIndex: 1, mint: MINT.address, owner: OWNER, uiTokenAmount: { amount } };
  const balances = { preBalances: [1n, 1n], postBalances: [1n, 1n], preTokenBalances: [] };
  return {
    slot: 1n,
    meta: { err: null, fee: 1n, ...balances, postTokenBalances: amount === null ? [] : [balance] },
    transaction: { message: { accountKeys: ['payer', ACCOUNT] } },
  };
}

async function stage(...clients: readonly SolanaClient[]) {
  let nowMs = START_MS;
  const troubles: string[] = [];
  const clock = { now: () => nowMs };
  const urls = clients.map((_, index) => `http://provider-${index}`);
  const chain = {
    mint: MINT,
    treasury: TREASURY,
    treasuryAccount: await tokenAccountOf(MINT, TREASURY),
    clock,
    onTrouble: (message: string) => void troubles.push(message),
    providers: makeProviders(urls, (url) => clients[urls.indexOf(url)]!, {
      clock,
      onTrouble: () => undefined,
    }),
  } as unknown as SolanaChain;
  const observe = makeObserve(chain, () => false);
  let position: string | null = null;
  const looks = async (count: number, watch: DepositAddresses = WATCH): Promise<number> => {
    let seen = 0;
    for (let look = 0; look < count; look++) {
      const observed = await observe(position, watch);
      position = observed.position;
      seen += observed.sightings.length;
      nowMs += LOOK_MS;
    }
    return seen;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { looks, pass, troubles, position: () => position! };
}

test('threat 54: a thousand transactions that only mention a deposit account delay a deposit by no more than a few observations', async () => {
  const { looks } = await stage(providerOf(1_000));
  assert.equal(await looks(5), 1);
});

function withDeposit(more: (all: SolanaClient) => Partial<SolanaClient>): SolanaClient {
  const made = { ...transactionOf('0'), slot: 1n };
  const held = { program: MINT.program, executable: false, lamports: 1n, data: holding(500n) };
  const all = providerOf(2, {
    accounts: async (asked) =>
      asked.map((each) => (each === CLOCK_ADDRESS ? clockAccount(START_MS) : each === ACCOUNT ? held : null)),
    transaction: async (signature) => (signature === 's1' ? transactionOf('500') : made),
  });
  return { ...all, ...more(all) };
}

test('a deposit that a provider lists late is seen soon after it is listed', async () => {
  let hidden = true;
  const provider = withDeposit((all) => ({
    history: async (account, range) =>
      (await all.history(account, range)).filter(({ signature }) => !hidden || signature !== 's1'),
  }));
  const { looks, pass } = await stage(provider);
  assert.equal(await looks(3), 0);
  hidden = false;
  pass(8_000);
  assert.equal(await looks(1), 1);
});

test('a listed deposit that cannot be fetched is seen soon after it becomes available', async () => {
  let hidden = true;
  const provider = withDeposit((all) => ({
    transaction: async (signature, commitment) =>
      hidden && signature === 's1' ? null : all.transaction(signature, commitment),
  }));
  const { looks, pass } = await stage(provider);
  assert.equal(await looks(3), 0);
  hidden = false;
  pass(8_000);
  assert.equal(await looks(1), 1);
});

test('the history of an account with an unexplained balance is read again at growing intervals', async () => {
  let lists = 0;
  const provider = withDeposit((all) => ({
    history: async (account, range) => {
      if (account === ACCOUNT) lists += 1;
      return (await all.history(account, range)).filter(({ signature }) => signature !== 's1');
    },
  }));
  const { looks } = await stage(provider);
  await looks(200);
  assert.ok(lists <= 12, `${lists} lists in ten minutes`);
});

test('a failed search for other tokens is reported and does not stop the detection of deposits', async () => {
  const tokenAccounts = () => Promise.reject(new Error('too many requests'));
  const { looks, troubles } = await stage(providerOf(1, { tokenAccounts }));
  assert.equal(await looks(1), 1);
  assert.deepEqual(troubles, ['looking for other tokens at deposit addresses failed']);
});

test('threat 46: a stalled provider is skipped, because it never shows new deposits', async () => {
  const stillSince = (atMs: number) =>
    providerOf(0, {
      accounts: async (asked: readonly string[]) =>
        asked.map((each) => (each === CLOCK_ADDRESS ? clockAccount(atMs) : null)),
    });
  const both = await stage(stillSince(START_MS - 601_000), providerOf(1));
  assert.equal(await both.looks(1), 1);
  const alone = await stage(stillSince(START_MS));
  assert.equal(await alone.looks(1), 0);
  alone.pass(700_000);
  await assert.rejects(alone.looks(1), /is stalled/);
});

function oldAddresses() {
  const asked: (string | null)[] = [];
  const others = Array.from({ length: 249 }, (_, index) =>
    getAddressDecoder().decode(createHash('sha256').update(`${index}`).digest()),
  );
  const all: readonly string[] = [...others, OWNER];
  const older: NonNullable<DepositAddresses['older']> = async (after) => {
    asked.push(after);
    const start = after === null ? 0 : Number(after);
    const end = start + 100;
    return { addresses: all.slice(start, end), next: end < all.length ? `${end}` : null };
  };
  return { asked, watch: { ...WATCH, recent: async () => [], older } satisfies DepositAddresses };
}

function holding(amount: bigint): Uint8Array {
  const empty = { delegate: null, isNative: null, delegatedAmount: 0n, closeAuthority: null };
  const state = AccountState.Initialized;
  const token = { mint: MINT.address, owner: OWNER, amount, state, ...empty };
  return new Uint8Array(getTokenEncoder().encode(token));
}

test('threat 53: a deposit to an old address is found once, when that address is checked, and the address is watched until it is empty', async () => {
  let amount = 500n;
  const held = () => ({ program: MINT.program, executable: false, lamports: 1n, data: holding(amount) });
  const accounts: SolanaClient['accounts'] = async (asked) =>
    asked.map((each) => {
      if (each === CLOCK_ADDRESS) return clockAccount(START_MS);
      return each === ACCOUNT && amount > 0n ? held() : null;
    });
  const { looks, pass, position } = await stage(providerOf(3, { accounts }));
  const { asked, watch } = oldAddresses();
  assert.equal(await looks(10, watch), 0);
  assert.deepEqual(asked, [null]);
  assert.equal(await looks(10, watch), 0);
  assert.equal(await looks(10, watch), 1);
  assert.deepEqual(asked, [null, '100', '200']);
  assert.ok(position().includes(OWNER));
  for (let minute = 0; minute < 6; minute++) {
    pass(60_000);
    assert.equal(await looks(1, watch), 0);
  }
  assert.deepEqual(asked.slice(3), [null, '100', '200', null, '100', '200']);
  amount = 0n;
  pass(60_000);
  assert.equal(await looks(1, watch), 0);
  assert.ok(!position().includes(OWNER), 'brought in: nothing is kept of it');
});

test('a failed check of old addresses does not stop the detection of deposits', async () => {
  const older = () => Promise.reject(new Error('no database'));
  const { looks, troubles } = await stage(providerOf(1));
  assert.equal(await looks(1, { ...WATCH, older }), 1);
  assert.deepEqual(troubles, ['looking at old deposit addresses failed']);
});

test('a gap in the history of an account is logged once, and skipped after ten minutes', () => {
  let nowMs = START_MS;
  const troubles: string[] = [];
  const onTrouble = (message: string) => void troubles.push(message);
  const gaps = makeHistoryGaps({ clock: { now: () => nowMs }, onTrouble });
  assert.equal(gaps.policy(ACCOUNT), 'wait');
  gaps.heard(ACCOUNT, 's4');
  nowMs += 599_999;
  gaps.heard(ACCOUNT, 's4');
  assert.deepEqual([gaps.policy(ACCOUNT), troubles.length], ['wait', 1]);
  nowMs += 1;
  assert.deepEqual([gaps.policy(ACCOUNT), gaps.policy('another')], ['pass', 'wait']);
  gaps.heard(ACCOUNT, null);
  assert.equal(gaps.policy(ACCOUNT), 'wait');
});

/**
 * A provider that lists the only transaction at the deposit account as failed. `says` returns the transaction that the provider
 * shows.
 */
function callingFailed(says: () => unknown, heldMinor = 500n): SolanaClient {
  const held = { program: MINT.program, executable: false, lamports: 1n, data: holding(heldMinor) };
  const listed = { signature: 's0', slot: 1n, final: true, failed: true, blockTimeMs: null };
  return providerOf(1, {
    accounts: async (asked) =>
      asked.map((each) => (each === CLOCK_ADDRESS ? clockAccount(START_MS) : each === ACCOUNT ? held : null)),
    history: async (account, { until }) => (account === ACCOUNT && until === null ? [listed] : []),
    transaction: async () => says(),
  });
}

test('a deposit that is listed as failed is fetched if the balance shows that it succeeded', async () => {
  assert.equal(await (await stage(callingFailed(() => transactionOf('500')))).looks(2), 1);
});

test('a provider is skipped if it reports a deposit as failed although the balance changed', async () => {
  const err = { InstructionError: [0, 'Custom'] };
  const failed = (amount: string | null) => {
    const { meta, ...rest } = transactionOf(amount);
    return { ...rest, meta: { ...meta, err } };
  };
  const liar = callingFailed(() => failed('500'));
  assert.equal(await (await stage(liar, providerOf(1))).looks(2), 1);
  await assert.rejects(
    (await stage(liar)).looks(1),
    /lists a transaction as failed although it changed a balance/,
  );
});
