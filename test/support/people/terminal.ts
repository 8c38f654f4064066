// A command-line terminal on a foundation that is already open, with one signed-in person whose second factor is always correct.
import { makeAuditLog } from '../../../src/adapters/postgres/audit/audit-log.ts';
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { makeLedgerBook } from '../../../src/adapters/postgres/ledger/book.ts';
import { makeOperationsStore } from '../../../src/adapters/postgres/operations/operations-store.ts';
import { makeReconciliationStores } from '../../../src/adapters/postgres/reconciliation/reconciliation-store.ts';
import type { Terminal } from '../../../src/cli/command.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { giveStepUp } from './reviewers.ts';

interface Opened {
  readonly database: Database;
  readonly clock: { now(): number };
}

export function openTestTerminal(
  foundation: Opened,
  actor: string,
  config: Partial<Config> = {},
): Terminal & { readonly printed: readonly string[] } {
  const printed: string[] = [];
  const work = (run: (given: Opened & { readonly actor: string; readonly signedIn: null }) => unknown) =>
    run(Object.assign(readsOn(foundation.database), foundation, { actor, signedIn: null }));
  return {
    config: { policies: readConfig({}).policies, ...config },
    printed,
    print: (text: string) => void printed.push(text),
    progress: () => undefined,
    withFoundation: work,
    withNetworks: work,
    stepUpFor: async (_who: unknown, subjectId: string) =>
      actor.startsWith('per_')
        ? giveStepUp(foundation.database, { personId: actor, subjectId, atMs: foundation.clock.now() })
        : null,
  } as unknown as Terminal & { readonly printed: readonly string[] };
}

function readsOn(database: Database) {
  return {
    audit: makeAuditLog(database),
    operations: makeOperationsStore(database, 0),
    ledgerBook: makeLedgerBook(database),
    ...makeReconciliationStores(database),
  };
}
