// Tests reading an account's history. Every transaction is reported exactly once, and the mark never moves past a transaction
// that is not final.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryEntry, SolanaClient } from '../rpc/client.ts';
import { HISTORY_PAGE } from '../rpc/history-calls.ts';
import { readHistory } from './account-history.ts';
import { readPosition, setMark, UNREAD_MARK, writePosition } from './position.ts';

interface Entry extends HistoryEntry {
  readonly amount: bigint | null | 'nonsense';
  readonly before?: bigint;
}

function entry(no: number, changes: Partial<Entry> = {}): Entry {
  return {
    signature: `s${no}`,
    slot: BigInt(no),
    final: true,
    failed: false,
    blockTimeMs: null,
    amount: BigInt(no),
    ...changes,
  };
}

/** The entries are oldest first. As at a real provider, an unknown `until` sets no limit. */
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
      const { amount, slot, before = 0n } = entries.find((each) => each.signature === signature)!;
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
          preTokenBalances: [balance(1, 1_000_000n, 'sender'), balance(2, before, 'owner')],
          postTokenBalances: [
            balance(1, 1_000_000n - amount, 'sender'),
            balance(2, before + amount, 'owner'),
          ],
          loadedAddresses: { writable: ['source', 'account'], readonly: [] },
        },
        transaction: { message: { accountKeys: ['payer'] } },
      };
    },
  };
  return { client: client as SolanaClient, fetched };
}

test('incoming transfers are returned oldest first, with amount, sender and the index among all accounts', async () => {
  const { client } = clientOf([entry(1), entry(2, { blockTimeMs: 7_000 })]);
  const { arrivals, mark } = await readHistory(client, 'account', UNREAD_MARK);
  const common = { txIndex: 2, mint: 'mint', sender: 'sender', final: true };
  assert.deepEqual(arrivals, [
    { ...common, txHash: 's1', amountMinor: 1n, chainAtMs: null },
    { ...common, txHash: 's2', amountMinor: 2n, chainAtMs: 7_000 },
  ]);
  const changed = { last: 's2', slot: '2', after: '2' };
  assert.deepEqual(mark, { ...changed, seen: [], seenAfter: [], changed });
});

test('a transaction that is not final is reported once, and the mark does not pass it', async () => {
  const open = [entry(1), entry(2, { final: false }), entry(3, { final: false })];
  const first = await readHistory(clientOf(open).client, 'account', UNREAD_MARK);
  const waiting = { seen: ['s2', 's3'], seenAfter: ['2', '3'] };
  const changed = { last: 's1', slot: '1', after: '1' };
  assert.deepEqual(first.mark, { ...changed, ...waiting, changed });
  assert.deepEqual(
    first.arrivals.map(({ final }) => final),
    [true, false, false],
  );
  const { client, fetched } = clientOf([entry(1), entry(2), entry(3)]);
  const second = await readHistory(client, 'account', first.mark);
  assert.deepEqual([second.arrivals, fetched], [[], []]);
  assert.partialDeepStrictEqual(second.mark, { last: 's3', slot: '3', seen: [], after: '3' });
  const lost = await readHistory(clientOf(open).client, 'account', UNREAD_MARK);
  assert.deepEqual(lost.arrivals, first.arrivals, 'from the old mark all of it again');
});

test('the mark does not pass a listed transaction that cannot be fetched', async () => {
  const { client } = clientOf([entry(1), entry(2, { amount: null }), entry(3)]);
  const { arrivals, mark, missing } = await readHistory(client, 'account', UNREAD_MARK);
  assert.deepEqual([arrivals.length, mark.last, missing], [1, 's1', 's2']);
});

test('an unreadable transaction is reported and passed, and a failed transaction is not fetched', async () => {
  const { client, fetched } = clientOf([
    entry(1, { amount: 'nonsense' }),
    entry(2, { failed: true }),
    entry(3),
  ]);
  const { arrivals, unreadable, mark } = await readHistory(client, 'account', UNREAD_MARK);
  assert.deepEqual([arrivals.map(({ txHash }) => txHash), mark.last], [['s3'], 's3']);
  assert.equal(unreadable.length, 1);
  assert.match(unreadable[0]!.raw, /^s1 /);
  assert.deepEqual(fetched, ['s1', 's3']);
});

test('a history longer than one page is read oldest first, in several rounds', async () => {
  const entries = Array.from({ length: HISTORY_PAGE + 150 }, (_, index) => entry(index + 1));
  const { client } = clientOf(entries);
  const seen: string[] = [];
  for (let round = 0, mark = UNREAD_MARK; round < 6; round++) {
    const read = await readHistory(client, 'account', mark);
    seen.push(...read.arrivals.map(({ txHash }) => txHash));
    mark = read.mark;
  }
  assert.deepEqual(
    seen,
    entries.map(({ signature }) => signature),
  );
});

test('threat 55: a lagging provider that does not know the mark does not cause a transfer to be returned twice', async () => {
  const { client } = clientOf([entry(1), entry(2)]);
  const mark = { last: 's9', slot: '9', seen: [], after: '7', seenAfter: [] };
  const read = await readHistory(client, 'account', mark);
  const changed = { last: 's9', slot: '9', after: '7' };
  assert.deepEqual([read.arrivals, read.mark], [[], { ...mark, changed }]);
});

test('threat 52: if a transaction is missing from the middle of a list, the starting balance of the next one reveals it', async () => {
  const whole = [
    entry(1, { amount: 500n }),
    entry(2, { amount: 200n, before: 500n }),
    entry(3, { failed: true }),
    entry(4, { amount: 50n, before: 700n }),
  ];
  const holed = whole.filter(({ signature }) => signature !== 's2');
  const wait = { gaps: 'wait' } as const;
  assert.equal((await readHistory(clientOf(whole).client, 'account', UNREAD_MARK, wait)).gap, null);
  const read = await readHistory(clientOf(holed).client, 'account', UNREAD_MARK, wait);
  assert.deepEqual([read.gap, read.arrivals.length, read.mark.last], ['s4', 1, 's1']);
  // The mark moves back to before the gap, so nothing is lost once the list is complete.
  const before = await readHistory(clientOf(holed.slice(0, 2)).client, 'account', UNREAD_MARK, wait);
  assert.equal(before.mark.last, 's3');
  const again = await readHistory(clientOf(holed).client, 'account', before.mark, wait);
  assert.deepEqual([again.gap, again.mark.last], ['s4', 's1']);
  for (const { mark } of [read, again]) {
    const later = await readHistory(clientOf(whole).client, 'account', mark, wait);
    const reported = later.arrivals.map(({ txHash }) => txHash);
    assert.deepEqual([reported, later.gap], [['s2', 's4'], null]);
  }
  const passed = await readHistory(clientOf(holed).client, 'account', UNREAD_MARK, { gaps: 'pass' });
  assert.deepEqual([passed.mark.last, passed.arrivals.length, passed.unreadable.length], ['s4', 2, 1]);
  assert.match(passed.unreadable[0]!.raw, /"held":"500","found":"700"/);
});

test('threat 52: a gap after a transaction that was not final is noticed too, and any order within a slot is accepted', async () => {
  const wait = { gaps: 'wait' } as const;
  const early = [entry(1, { amount: 500n, final: false })];
  const first = await readHistory(clientOf(early).client, 'account', UNREAD_MARK, wait);
  const next = [entry(1, { amount: 500n }), entry(4, { amount: 50n, before: 700n })];
  assert.equal((await readHistory(clientOf(next).client, 'account', first.mark, wait)).gap, 's4');
  const oneSlot = [
    entry(1, { amount: 500n }),
    entry(3, { amount: 50n, before: 700n, slot: 2n }),
    entry(2, { amount: 200n, before: 500n, slot: 2n }),
  ];
  const read = await readHistory(clientOf(oneSlot.slice(1)).client, 'account', UNREAD_MARK, wait);
  assert.deepEqual([read.gap, read.arrivals.length], [null, 2]);
});

test('a position that is read and written keeps its text, and owners that are no longer watched are dropped', () => {
  const position = readPosition(null);
  setMark(position, 'b', 'account', { last: 's1', slot: '1', seen: ['s2'] });
  setMark(position, 'a', 'account', UNREAD_MARK);
  const text = writePosition(position, new Set(['a', 'b']));
  assert.equal(writePosition(readPosition(text), new Set(['b', 'a'])), text);
  const pruned = readPosition(writePosition(position, new Set(['a'])));
  assert.deepEqual([...pruned.owners.keys()], ['a']);
});
