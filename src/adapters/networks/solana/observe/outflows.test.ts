// Tests outflows of the treasury. Every outflow that any provider shows counts. The position moves past an outflow only when
// all providers that respond show it as final. Each transaction is fetched once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { AccountState, getTokenEncoder } from '@solana-program/token';
import { makeProviders } from '../../providers/providers.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { ChainAccount, HistoryEntry, SolanaClient } from '../rpc/client.ts';
import { TOKEN_PROGRAMS } from '../rpc/token-account.ts';
import { makeOutflows } from './outflows.ts';

interface Shown extends HistoryEntry {
  readonly raw: unknown;
}

const balance = (accountIndex: number, amount: bigint, owner: string, mint = 'mint') => ({
  accountIndex,
  mint,
  owner,
  uiTokenAmount: { amount: `${amount}` },
});

type Balances = readonly ReturnType<typeof balance>[];

function transaction(signature: string, slot: bigint, balances: readonly [Balances, Balances]): Shown {
  const raw = {
    slot,
    meta: {
      err: null,
      fee: 5_000n,
      preBalances: [1n, 1n, 1n],
      postBalances: [1n, 1n, 1n],
      preTokenBalances: balances[0],
      postTokenBalances: balances[1],
    },
    transaction: { message: { accountKeys: ['treasury account', 'first', 'second'] } },
  };
  return { signature, slot, final: true, failed: false, blockTimeMs: null, raw };
}

function tokens(amount: bigint): ChainAccount {
  const [mint, owner] = [TOKEN_PROGRAMS[0]!, TOKEN_PROGRAMS[1]!];
  const none = { delegate: null, isNative: null, closeAuthority: null, delegatedAmount: 0n };
  const data = getTokenEncoder().encode({ mint, owner, amount, state: AccountState.Initialized, ...none });
  return { program: TOKEN_PROGRAMS[0]!, executable: false, lamports: 1n, data: new Uint8Array(data) };
}

const pays = (signature: string, slot: bigint, amount: bigint) =>
  transaction(signature, slot, [
    [balance(0, 1_000n, 'treasury')],
    [balance(0, 1_000n - amount, 'treasury'), balance(1, amount, 'one')],
  ]);

interface Provider {
  shown: readonly Shown[];
  away?: boolean;
  /**
   * The balance of the account and the slot of that response. It is missing if the server for accounts does not have the
   * account.
   */
  held?: { readonly amount: bigint; readonly slot: bigint };
  newest?: bigint;
  readonly calls: string[];
}

const providerOf = (shown: readonly Shown[]): Provider => ({ shown, calls: [] });

function stage(...providers: Provider[]) {
  const urls = providers.map((_, index) => `http://provider-${index}`);
  const clientOf = (provider: Provider) =>
    ({
      history: async (_: string, { until }: { readonly until: string | null }) => {
        provider.calls.push('history');
        if (provider.away === true) throw new Error('away');
        const newest = provider.shown.toReversed();
        const end = newest.findIndex(({ signature }) => signature === until);
        return end < 0 ? newest : newest.slice(0, end);
      },
      finalized: async () => ({ slot: provider.newest ?? 0n, height: 0n }),
      finalAccounts: async (_: readonly string[], notBefore: bigint) => {
        const { amount, slot } = provider.held ?? { amount: 0n, slot: 0n };
        if (slot < notBefore) throw new Error('behind');
        return { slot, accounts: [provider.held === undefined ? null : tokens(amount)] };
      },
      transaction: async (signature: string) => {
        provider.calls.push(signature);
        return provider.shown.find((each) => each.signature === signature)?.raw ?? null;
      },
    }) as Partial<SolanaClient> as SolanaClient;
  const chain = {
    providers: makeProviders(urls, (url) => clientOf(providers[urls.indexOf(url)]!), {
      clock: { now: () => 0 },
      onTrouble: () => undefined,
    }),
    mint: { address: 'mint' as Address },
    treasury: 'treasury' as Address,
    treasuryAccount: 'treasury account' as Address,
  } as unknown as SolanaChain;
  return makeOutflows(chain);
}

const markIn = ({ position }: { readonly position: string }) => {
  const { held: _, ...mark } = JSON.parse(position);
  return mark;
};

const amounts = ({ outflows }: Awaited<ReturnType<ReturnType<typeof stage>>>) =>
  outflows.map(({ txHash, amountMinor, to }) => [txHash, amountMinor, to]);

test('the first call starts at the newest final transaction, and only later outflows are returned', async () => {
  const provider = providerOf([pays('a', 10n, 5n)]);
  const outflows = stage(provider);
  const { position, outflows: none } = await outflows(null);
  assert.deepEqual(none, []);
  provider.shown = [...provider.shown, { ...pays('b', 11n, 7n), final: false }];
  const first = await outflows(position);
  assert.deepEqual([amounts(first), first.position], [[['b', 7n, 'one']], position]);
  provider.shown = [provider.shown[0]!, pays('b', 11n, 7n)];
  const second = await outflows(position);
  assert.deepEqual(amounts(second), [['b', 7n, 'one']]);
  const third = await outflows(second.position);
  assert.deepEqual([third.outflows, third.position], [[], second.position]);
  assert.deepEqual(
    provider.calls.filter((call) => call !== 'history'),
    ['b'],
    'each is fetched once',
  );
});

test('threat 42: the position waits for the slowest provider, and an outflow that only one provider shows counts', async () => {
  const ahead = providerOf([pays('a', 10n, 5n), pays('b', 11n, 7n)]);
  const behind = providerOf([pays('a', 10n, 5n)]);
  const outflows = stage(ahead, behind);
  const start = JSON.stringify({ last: null, slot: '1' });
  const shown = await outflows(start);
  assert.deepEqual(amounts(shown), [
    ['a', 5n, 'one'],
    ['b', 7n, 'one'],
  ]);
  assert.deepEqual(markIn(shown), { last: 'a', slot: '10' });
  behind.shown = ahead.shown;
  assert.deepEqual(markIn(await outflows(shown.position)), { last: 'b', slot: '11' });
  const [quiet, away] = [providerOf([]), { ...providerOf([]), away: true }];
  assert.deepEqual(markIn(await stage(ahead, quiet)(start)), JSON.parse(start));
  assert.equal(amounts(await stage(ahead, away)(start)).length, 2);
  await assert.rejects(stage(away)(start));
});

test('threat 49: each recipient of a transaction is one outflow; a burn or a new owner of the account is an outflow of the whole amount', async () => {
  const several = transaction('several', 10n, [
    [balance(0, 1_000n, 'treasury'), balance(2, 4n, 'two')],
    [balance(0, 900n, 'treasury'), balance(1, 60n, 'one'), balance(2, 44n, 'two')],
  ]);
  const burned = transaction('burned', 11n, [[balance(0, 900n, 'treasury')], [balance(0, 800n, 'treasury')]]);
  const handed = transaction('handed', 12n, [[balance(0, 800n, 'treasury')], [balance(0, 800n, 'thief')]]);
  const came = transaction('came', 13n, [[balance(0, 800n, 'treasury')], [balance(0, 850n, 'treasury')]]);
  const other = transaction('other', 14n, [
    [balance(1, 800n, 'treasury', 'other')],
    [balance(1, 700n, 'treasury', 'other')],
  ]);
  const failed = { ...pays('failed', 15n, 5n), failed: true };
  const outflows = stage(providerOf([several, burned, handed, came, other, failed]));
  const shown = await outflows(JSON.stringify({ last: null, slot: '0' }));
  assert.deepEqual(amounts(shown), [
    ['several', 40n, 'two'],
    ['several', 60n, 'one'],
    ['burned', 100n, null],
    ['handed', 800n, 'thief'],
  ]);
  assert.equal(new Set(shown.outflows.map(({ index }) => index)).size, 3);
  assert.deepEqual(markIn(shown), { last: 'failed', slot: '15' });
});

test('the position does not pass the slot of a listed transaction that cannot be fetched', async () => {
  const hidden: Shown = { ...pays('hidden', 11n, 7n), raw: null };
  const first = providerOf([pays('a', 10n, 5n), pays('b', 11n, 6n), hidden]);
  const start = JSON.stringify({ last: null, slot: '0' });
  const shown = await stage(first)(start);
  assert.deepEqual(
    [shown.unreadable, shown.incomplete, markIn(shown)],
    [[], true, { last: 'a', slot: '10' }],
    'it is waited for',
  );
  const second = providerOf([pays('a', 10n, 5n), pays('b', 11n, 6n), pays('hidden', 11n, 7n)]);
  const both = await stage(first, second)(start);
  assert.deepEqual([both.incomplete, amounts(both).length], [undefined, 3], 'another one could read it');
  const poison = { ...pays('poison', 12n, 1n), raw: { slot: 12n, meta: null } };
  const poisoned = await stage(providerOf([poison]))(start);
  assert.deepEqual([poisoned.unreadable.length, markIn(poisoned)], [1, { last: 'poison', slot: '12' }]);
});

test('an unusual transaction of a third party that names the account does not stop the reading and hides no outflow', async () => {
  const start = JSON.stringify({ last: null, slot: '0' });
  // The second account is closed and opened again for a different token.
  const odd = (left: bigint) =>
    transaction('odd', 10n, [
      [balance(0, 100n, 'treasury'), balance(2, 5n, 'stranger')],
      [balance(0, left, 'treasury'), balance(2, 5n, 'stranger', 'another mint')],
    ]);
  const harmless = await stage(providerOf([odd(100n)]))(start);
  assert.deepEqual([harmless.unreadable, harmless.outflows], [[], []]);
  const taking = await stage(providerOf([odd(60n)]))(start);
  assert.deepEqual([taking.unreadable, amounts(taking)], [[], [['odd', 40n, null]]]);
});

test('many transactions are read in several calls, and the result is marked as incomplete until the last one', async () => {
  const flood = Array.from({ length: 450 }, (_, index) => pays(`s${index}`, BigInt(index + 1), 1n));
  const provider = providerOf(flood);
  const outflows = stage(provider);
  let position = JSON.stringify({ last: null, slot: '0' });
  const seen = new Set<string>();
  for (const incomplete of [true, true, undefined]) {
    const shown = await outflows(position);
    assert.equal(shown.incomplete, incomplete);
    for (const { txHash } of shown.outflows) seen.add(txHash);
    position = shown.position;
  }
  assert.equal(seen.size, 450);
});

test('threat 49: an unexplained difference of the balance is returned, and an outdated balance is refused', async () => {
  const start = JSON.stringify({ last: null, slot: '9', held: '1000' });
  const shown = [pays('a', 10n, 5n)];
  const at = (slot: bigint, amount: bigint): Provider => ({
    ...providerOf(shown),
    held: { slot, amount },
    newest: 40n,
  });
  const read = async (...providers: Provider[]) => (await stage(...providers)(start)).unlistedMinor;
  assert.equal(await read(at(40n, 995n)), 0n);
  assert.equal(await read(at(41n, 990n)), -5n, 'what is in flight does not hide it');
  assert.equal(JSON.parse((await stage(at(40n, 995n))(start)).position).held, '995');
  // A lagging server for accounts shows an old balance. Then a different provider is asked, or nothing is signed.
  await assert.rejects(stage(at(9n, 1_000n))(start));
  assert.equal(await read(at(9n, 1_000n), at(40n, 990n)), -5n);
  // The balance must include the newest block that any provider reports as final.
  await assert.rejects(stage({ ...at(30n, 995n), newest: 30n }, { ...at(9n, 995n), newest: 40n })(start));
});
