// Statement files as one more rail of settlement: it reports what was imported, and makes no payouts.
import type { Database } from '../adapters/postgres/connection/database.ts';
import { STATEMENTS_RAIL, statementsRail } from '../adapters/postgres/statements/statement-feed.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { Banks, Rail } from '../ports/bank/rail.ts';

/** Behind all others, in both modes: files can be imported at any time. */
export function withStatements(banks: Banks, database: Database): Banks {
  const rails: Readonly<Record<Mode, Rail>> = {
    live: statementsRail(database, 'live'),
    test: statementsRail(database, 'test'),
  };
  return {
    find: (mode, rail) => (rail === STATEMENTS_RAIL ? rails[mode] : banks.find(mode, rail)),
    enabled: (mode) => [...banks.enabled(mode), rails[mode]],
  };
}
