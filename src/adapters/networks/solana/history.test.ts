// Reading an account's history: nothing is skipped, nothing is told twice, and the mark never passes what is not final.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHistory } from './history.ts';
import { readPosition, setMark, UNREAD, writePosition } from './position.ts';
import type { HistoryEntry, SolanaClient } from './rpc.ts';
import { HISTORY_PAGE } from './rpc-history.ts';

interface Entry extends HistoryEntry {
  readonly amount: bigint | null | 'nonsense';
}

function entry(no: number, changes: Partial<Entry> = {}): Entry {
  return {
    signature: `s${no}`,
    slot: BigInt(no),
    final: true,
    failed: false,
    amount: BigInt(no),
    ...changes,
  };
}

/** Oldest first; as a provider does, an unknown `until` sets no bound. */
function clientOf(entries: readonly Entry[]) {
  const fetched: string[] = [];
  const client: Partial<SolanaClient> = {
    history: async (_, { until, before }) => {
      const newest = entries.toReversed();
      const start = before === null ? 0 : newest.findIndex(({ signature }) => signature === before) + 1;
      const end = until === null ? -1 : newest.findIndex(({ signature }) => signature === until);
      return newest.slice(start, end < 0 ? undefined : end).slice(0, HISTORY_PAGE);
    },
    transaction: async (signature) => {
      fetched.push(signature);
      const { amount, slot } = entries.find((each) => each.signature === signature)!;
      if (amount === null) return null;
      if (amount === 'nonsense') return { slot, meta: {} };
      const balance = (accountIndex: number, minor: bigint, owner: string) => ({
        accountIndex,
        mint: 'mint',
        owner,
        uiTokenAmount: { amount: `${minor}` },
      });
      return {
        slot,
        meta: {
          err: null,
          fee: 1n,
          preBalances: [1n, 1n, 1n],
          postBalances: [1n, 1n, 1n],
          preTokenBalances: [balance(1, 1_000_000n, 'sender')],
          postTokenBalances: [balance(1, 1_000_000n - amount, 'sender'), balance(2, amount, 'owner')],
          loadedAddresses: { writable: ['source', 'account'], readonly: [] },
        },
        transaction: { message: { accountKeys: ['payer'] } },
      };
    },
  };
  return { client: client as SolanaClient, fetched };
}

test('arrivals come oldest first, with amount, sender and the place among all accounts', async () => {
  const { client } = clientOf([entry(1), entry(2)]);
  const { arrivals, mark } = await readHistory(client, 'account', UNREAD);
  const common = { txIndex: 2, mint: 'mint', sender: 'sender', final: true };
  assert.deepEqual(arrivals, [
    { ...common, txHash: 's1', amountMinor: 1n },
    { ...common, txHash: 's2', amountMinor: 2n },
  ]);
  assert.deepEqual(mark, { last: 's2', slot: '2', seen: [] });
});

test('what is not final is told once, and the mark waits for it', async () => {
  const open = [entry(1), entry(2, { final: false }), entry(3, { final: false })];
  const first = await readHistory(clientOf(open).client, 'account', UNREAD);
  assert.deepEqual(first.mark, { last: 's1', slot: '1', seen: ['s2', 's3'] });
  assert.deepEqual(
    first.arrivals.map(({ final }) => final),
    [true, false, false],
  );
  const { client, fetched } = clientOf([entry(1), entry(2), entry(3)]);
  const second = await readHistory(client, 'account', first.mark);
  assert.deepEqual([second.arrivals, fetched], [[], []]);
  assert.deepEqual(second.mark, { last: 's3', slot: '3', seen: [] });
  const lost = await readHistory(clientOf(open).client, 'account', UNREAD);
  assert.deepEqual(lost.arrivals, first.arrivals, 'from the old mark all of it again');
});

test('a transaction that is listed and not to be had is not passed', async () => {
  const { client } = clientOf([entry(1), entry(2, { amount: null }), entry(3)]);
  const { arrivals, mark, missing } = await readHistory(client, 'account', UNREAD);
  assert.deepEqual([arrivals.length, mark.last, missing], [1, 's1', 's2']);
});

test('what cannot be read is kept and passed; what failed brought nothing', async () => {
  const { client, fetched } = clientOf([
    entry(1, { amount: 'nonsense' }),
    entry(2, { failed: true }),
    entry(3),
  ]);
  const { arrivals, unreadable, mark } = await readHistory(client, 'account', UNREAD);
  assert.deepEqual([arrivals.map(({ txHash }) => txHash), mark.last], [['s3'], 's3']);
  assert.equal(unreadable.length, 1);
  assert.match(unreadable[0]!.raw, /^s1 /);
  assert.deepEqual(fetched, ['s1', 's3']);
});

test('more than a page is read from its oldest on, over several rounds', async () => {
  const entries = Array.from({ length: HISTORY_PAGE + 150 }, (_, index) => entry(index + 1));
  const { client } = clientOf(entries);
  const seen: string[] = [];
  for (let round = 0, mark = UNREAD; round < 6; round++) {
    const read = await readHistory(client, 'account', mark);
    seen.push(...read.arrivals.map(({ txHash }) => txHash));
    mark = read.mark;
  }
  assert.deepEqual(
    seen,
    entries.map(({ signature }) => signature),
  );
});

test('threat 55: a lagging provider that does not know the mark repeats nothing', async () => {
  const { client } = clientOf([entry(1), entry(2)]);
  const mark = { last: 's9', slot: '9', seen: [] };
  const read = await readHistory(client, 'account', mark);
  assert.deepEqual([read.arrivals, read.mark], [[], mark]);
});

test('a position is the same text after reading, and forgets owners nobody watches', () => {
  const position = readPosition(null);
  setMark(position, 'b', 'account', { last: 's1', slot: '1', seen: ['s2'] });
  setMark(position, 'a', 'account', UNREAD);
  const text = writePosition(position, new Set(['a', 'b']));
  assert.equal(writePosition(readPosition(text), new Set(['b', 'a'])), text);
  const pruned = readPosition(writePosition(position, new Set(['a'])));
  assert.deepEqual([...pruned.owners.keys()], ['a']);
});
