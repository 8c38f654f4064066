// Keeps the rates in memory. While a newer rate book is being read, the last one is still used, for at most one second.
import type { BoardBook, BoardSnapshot } from '../../../domain/rates/board.ts';
import type { RateProduct } from '../../../domain/rates/rates.ts';
import { makeBoardBook } from '../../../domain/rates/same-decision.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { RateBoard, RateBookName, StoredSpread } from '../../../ports/rates.ts';
import type { ConnectionSettings, Database } from '../connection/database.ts';
import { keepSnapshot } from '../connection/kept-snapshot.ts';
import { DECISION_JSON, type DecisionJson, decisionOf, millisecondsSql, SPREAD_JSON } from './rows.ts';

/**
 * The triggers in migrations/0022_rates.sql notify on this channel. A notification contains the name of the table and, for a
 * desk price, the rate book of the price.
 */
const CHANNEL = 'sliproad_rates';
const SERVED: ReadonlySet<string> = new Set(['rate_books', 'spreads']);
/** How long the last rate book is still used after a notification of a newer one. */
const PATIENCE_MS = 1_000;

export interface RateChange {
  readonly table: string;
  /** Null means that the change may concern any rate book. */
  readonly book: RateBookName | null;
}

export interface PostgresRateBoard extends RateBoard {
  onChange(listener: (change: RateChange) => void): void;
  close(): Promise<void>;
}

export function openRateBoard(
  database: Database,
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): PostgresRateBoard {
  const listeners: ((change: RateChange) => void)[] = [];
  const kept = keepSnapshot({
    channel: CHANNEL,
    connection,
    read: (generation) => readBoard(database, generation),
    concerns: (payload) => SERVED.has(changeOf(payload).table),
    onNotice: (payload) => {
      for (const each of listeners) each(changeOf(payload));
    },
    patienceMs: PATIENCE_MS,
    onError,
  });
  return { ...kept, onChange: (each) => void listeners.push(each) };
}

function changeOf(payload: string): RateChange {
  const [table = '', mode, product] = payload.split(' ');
  const book = mode === undefined ? null : ({ mode, product } as RateBookName);
  return { table, book };
}

interface BoardRow {
  books: { decision: DecisionJson; changedAtMs: number }[];
  spreads: StoredSpread[];
}

/** The query is one statement, so that the rate books and spreads are of the same moment. */
async function readBoard(database: Database, generation: number): Promise<BoardSnapshot> {
  const { rows } = await database.query<BoardRow>({
    name: 'read-rate-board',
    text: `select
      (select coalesce(json_agg(json_build_object('decision', ${DECISION_JSON}, 'changedAtMs', ${millisecondsSql('b.changed_at')})), '[]')
       from rate_books b join rate_decisions d on d.id = b.decision_id) as books,
      (select coalesce(json_agg(${SPREAD_JSON} order by s.id), '[]') from spreads s) as spreads`,
  });
  const { books, spreads } = rows[0]!;
  const booksOf = (mode: Mode) => {
    const found: Partial<Record<RateProduct, BoardBook>> = {};
    for (const { decision, changedAtMs } of books)
      if (decision.mode === mode)
        found[decision.product] = makeBoardBook(decisionOf(decision), decision.id, changedAtMs);
    return found;
  };
  const spreadsOf = (mode: Mode) => spreads.filter((each) => each.mode === mode);
  return {
    generation,
    books: { live: booksOf('live'), test: booksOf('test') },
    spreads: { live: spreadsOf('live'), test: spreadsOf('test') },
  };
}
