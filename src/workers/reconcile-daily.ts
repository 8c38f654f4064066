// Reconciles every bank account once a day, ten minutes after midnight in Lagos, and again when a statement arrives. One
// process at a time does this. If that process dies, another process continues.
import {
  lastWholeDay,
  listAccountsToReconcile,
  type ReconcileDeps,
  reconcileAccount,
} from '../app/reconciliation/reconcile-account.ts';
import { MODES } from '../domain/values/mode.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { Guards } from '../ports/operations/guards.ts';
import { type Loop, startLoop } from './loop.ts';

export interface ReconcileLoopDeps extends ReconcileDeps {
  readonly instruments: Instruments;
  readonly guards: Pick<Guards, 'guard'>;
  readonly onDifferences: (detail: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: Error) => void;
}

const EVERY_MS = 5 * 60_000;
/** After this time another process may take the turn, for example because the first process died. */
const TURN_MS = 10 * 60_000;
const TURN = 'reconciliation';

export function startDailyReconciliation(deps: ReconcileLoopDeps, everyMs = EVERY_MS): Loop {
  const unexplained = deps.instruments.gauge(
    'sliproad_reconciliation_unexplained_kobo',
    'Unexplained difference between the books and the statement of a bank account on its last reconciled day.',
    ['mode', 'account'],
  );
  return startLoop({
    everyMs,
    guard: deps.guards.guard({ name: 'The daily reconciliation', everyMs, stops: 'nothing' }),
    onError: deps.onError,
    turn: async () => {
      const { reconciliation, clock } = deps;
      if (await reconciliation.takeTurn(TURN, clock.now(), TURN_MS)) await reconcileAll(deps);
      unexplained(await readUnexplainedGauges(deps));
    },
  });
}

async function reconcileAll(deps: ReconcileLoopDeps): Promise<void> {
  for (const { mode, account } of await listAccountsToReconcile(deps, MODES)) {
    const through = lastWholeDay(deps.clock.now());
    const { opened, resolved } = await reconcileAccount(deps, { mode, account }, through);
    if (opened > 0)
      deps.onDifferences({ mode, account: maskAccountNumber(account), through, opened, resolved });
  }
}

async function readUnexplainedGauges({ reconciliation }: ReconcileLoopDeps) {
  const days = await Promise.all(
    MODES.map(async (mode) => {
      const accounts = await reconciliation.accounts(mode);
      return Promise.all(
        accounts.map(async ({ account }) => {
          const page = { mode, account, from: null, to: null, state: null, after: null, limit: 1 };
          return (await reconciliation.list(page))[0];
        }),
      );
    }),
  );
  return days.flat().flatMap((day) => {
    if (day === undefined) return [];
    const { mode, account, unexplainedMinor: value } = day;
    return [{ labels: { mode, account: maskAccountNumber(account) }, value: Number(value) }];
  });
}

/** Logs and metrics never contain a whole account number. */
function maskAccountNumber(account: string): string {
  const [bank, number = ''] = account.split(':');
  return `${bank}:…${number.slice(-4)}`;
}
