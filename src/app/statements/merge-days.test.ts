// Tests how the days of a file are merged with the stored days: the opening balance of a day, and its effect on the days before
// and after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileDay } from '../../domain/statements/coverage.ts';
import type { DayToMerge, DayWrite, ImportSession, StatementFile } from '../../ports/statements.ts';
import { mergeDays } from './merge-days.ts';

const DAY = '2026-11-13';
const FILE_DAY: FileDay = {
  ...{ day: DAY, rows: 2, isWhole: false, openingMinor: null, closingMinor: null, sums: null },
};
const EMPTY: DayToMerge = {
  ...{ stored: [], isOnePiece: true, shown: [], before: null },
  ...{ previousClosingMinor: null, nextOpeningMinor: null },
};

function shown(openingMinor: bigint, ...amounts: readonly bigint[]): DayToMerge['shown'] {
  let balanceMinor = openingMinor;
  return amounts.map((amountMinor, index) => {
    balanceMinor += amountMinor;
    const key = `${amountMinor} ${balanceMinor}`;
    return {
      key,
      amountMinor,
      balanceMinor,
      reference: null,
      narration: '',
      seq: index + 1,
      line: index + 2,
    };
  });
}

async function written(hand: Partial<DayToMerge>, held: ReadonlyMap<string, string> = new Map()) {
  const writes: DayWrite[] = [];
  const session = {
    dayAtHand: async () => ({ ...EMPTY, ...hand }),
    writeDay: async (_file: StatementFile, write: DayWrite) => void writes.push(write),
    nextDay: async () => null,
  } as Partial<ImportSession> as ImportSession;
  const merged = await mergeDays(
    {
      ...{ session, file: { profile: 'a' } as StatementFile, newestFirst: false, held, write: true },
      ...{ problems: { add: assert.fail } as never, nowMs: () => 0 },
    },
    [FILE_DAY],
  );
  return { merged, write: writes[0]! };
}

test('if the opening and closing balance of a day are equal, the opening balance comes from the first row of the file', async () => {
  const { merged, write } = await written({ shown: shown(1_000n, 100n, -100n) });
  assert.deepEqual(write.verdict, { state: 'sound', openingMinor: 1_000n, closingMinor: 1_000n, gap: null });
  assert.deepEqual([merged.rowsNew, merged.gaps, merged.incomplete], [2, 0, [DAY]]);
});

test('the closing balance of the previous day takes precedence over the first row of the file', async () => {
  const { write } = await written({ shown: shown(1_000n, 100n, -100n), previousClosingMinor: 1_100n });
  assert.equal(write.verdict.openingMinor, 1_100n);
});

test('a day whose balances match the previous and the next day is complete', async () => {
  const joined = { shown: shown(1_000n, 100n, 7n), previousClosingMinor: 1_000n, nextOpeningMinor: 1_107n };
  assert.equal((await written(joined)).write.complete, true);
  assert.equal((await written({ ...joined, nextOpeningMinor: 1_108n })).write.complete, false);
  assert.equal((await written({ ...joined, previousClosingMinor: null })).write.complete, false);
});

test('a day with a contradiction in the file is put on hold, whatever its balances are', async () => {
  const joined = { shown: shown(1_000n, 100n, 7n), previousClosingMinor: 1_000n, nextOpeningMinor: 1_107n };
  const { merged, write } = await written(joined, new Map([[DAY, 'in or out?']]));
  assert.deepEqual(
    [write.verdict.state, write.verdict.gap, write.complete, merged.gaps],
    ['gap', 'in or out?', false, 1],
  );
});
