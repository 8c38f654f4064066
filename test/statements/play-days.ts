// Creates random statements, splits them into files, and keeps the days of an account as the importer stores them. Only the
// rules of the domain run here.
import { Coverage } from '../../src/domain/statements/coverage.ts';
import { judgeDay } from '../../src/domain/statements/judge-day.ts';
import { type DayRow, mergeDay, rowKey } from '../../src/domain/statements/merge-day.ts';
import type { ParsedRow, StatementRow } from '../../src/domain/statements/row.ts';

export const ACCOUNT = 'gtbank:9900112233';

function chanceOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

export function playStatement(seed: number, hasBalances: boolean): readonly StatementRow[] {
  const chance = chanceOf(seed);
  const rows: StatementRow[] = [];
  let balanceMinor = 1_000_000n;
  const days = 3 + chance(6);
  for (let day = 1; day <= days; day++) {
    const date = `2026-03-${String(day * 2).padStart(2, '0')}`;
    for (let count = 1 + chance(6); count > 0; count--) {
      const amountMinor = chance(4) === 0 ? -2_500n : BigInt(5_000 * (1 + chance(2)));
      balanceMinor += amountMinor;
      rows.push({
        ...{ line: rows.length + 2, column: 1, day: date, valueDay: null, atMs: null, amountMinor },
        narration: amountMinor < 0n ? 'NIP CHARGE' : `NIP/ONE/PAYER ${chance(2)}`,
        balanceMinor: hasBalances ? balanceMinor : null,
        ...{ reference: null, sessionId: null, payerName: null, payerAccount: null, payerBankName: null },
        ...{
          writtenSession: null,
          narratedAccount: null,
          kind: 'payment',
          isPending: false,
          directionBy: 'side',
        },
        origins: { name: null, account: null, bankName: null, session: null },
      });
    }
  }
  return rows;
}

export interface Piece {
  readonly rows: readonly StatementRow[];
}

export class PlayedAccount {
  readonly #days = new Map<string, (DayRow & { readonly file: number })[]>();
  #files = 0;

  import({ rows }: Piece): void {
    const file = ++this.#files;
    const coverage = new Coverage();
    for (const row of rows) coverage.add({ kind: 'row', row: readAs(row) });
    for (const { day, isWhole } of coverage.finish('everything', '2030-01-01').days) {
      const shown = rows
        .filter((row) => row.day === day)
        .map((row) => ({ ...row, key: rowKey(ACCOUNT, row) }));
      if (coverage.isNewestFirst) shown.reverse();
      const stored = this.#days.get(day) ?? [];
      const isOnePiece = new Set(stored.map((row) => row.file)).size === 1;
      const merged = mergeDay(stored, shown, { isWhole, isOnePiece });
      if (merged.kind === 'contradiction')
        throw new Error(`files of one bank contradict each other on ${day}`);
      this.#days.set(day, [...stored, ...merged.add.map(({ index }) => ({ ...shown[index]!, file }))]);
    }
  }

  /** Returns the keys of all rows. A key occurs as often as its row. */
  keys(): readonly string[] {
    return [...this.#days.values()].flatMap((rows) => rows.map(({ key }) => key)).sort();
  }

  gaps(): number {
    let previousMinor: bigint | null = null;
    let gaps = 0;
    for (const day of [...this.#days.keys()].sort()) {
      const start = { previousMinor, hintMinor: null };
      const verdict = judgeDay({ rows: this.#days.get(day)!, start, file: null, added: 0, before: null });
      if (verdict.state === 'gap') gaps++;
      previousMinor = verdict.closingMinor;
    }
    return gaps;
  }

  ofDay(day: string): readonly DayRow[] {
    return this.#days.get(day) ?? [];
  }
}

function readAs(row: StatementRow): ParsedRow {
  return { ...row, payer: null, mark: null, lacks: null, isMinus: false };
}

export function keysOf(rows: readonly StatementRow[]): readonly string[] {
  return rows.map((row) => rowKey(ACCOUNT, row)).sort();
}

/** Creates files that together contain all rows, in any order, each file twice. Half of the files list the newest row first. */
export function cutPieces(rows: readonly StatementRow[], seed: number, byDays: boolean): readonly Piece[] {
  const chance = chanceOf(seed + 7_919);
  const days = [...new Set(rows.map(({ day }) => day))];
  const pieces: Piece[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = Math.min(rows.length, from + 1 + chance(8));
    let start = Math.max(0, from - chance(4));
    if (byDays) {
      // Each day is in the middle of a file: the file also has a row of the day before and a row of the day after.
      const first = days.indexOf(rows[from]!.day);
      const last = Math.min(days.length - 1, first + chance(3));
      start = Math.max(0, rows.findIndex(({ day }) => day === days[first]!) - 1 - chance(3));
      to = rows.findLastIndex(({ day }) => day === days[last]!) + 1;
      pieces.push(pieceOf(rows, start, Math.min(rows.length, to + 1 + chance(3)), chance));
    } else pieces.push(pieceOf(rows, start, to, chance));
    from = to;
  }
  const twice = [...pieces, ...pieces];
  for (let at = twice.length - 1; at > 0; at--) {
    const other = chance(at + 1);
    [twice[at], twice[other]] = [twice[other]!, twice[at]!];
  }
  return twice;
}

function pieceOf(
  rows: readonly StatementRow[],
  from: number,
  to: number,
  chance: (below: number) => number,
): Piece {
  const piece = rows.slice(from, to);
  return { rows: chance(2) === 0 ? piece : piece.toReversed() };
}
