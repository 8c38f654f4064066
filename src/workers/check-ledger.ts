// Checks the ledger every few seconds and reports its findings.
import { type CheckLedgerDeps, checkLedger, type LedgerVerdict } from '../app/ledger/check-ledger.ts';
import type { LedgerFinding } from '../app/ledger/judge-ledger.ts';
import { MODES } from '../domain/values/mode.ts';
import type { Instruments, Series } from '../ports/instruments.ts';
import type { AccountBalance, Halt } from '../ports/ledger.ts';
import type { Guards } from '../ports/operations/guards.ts';
import { type Loop, startLoop } from './loop.ts';
import { startQueueWatch, type WatchQueuesDeps } from './watch-queues.ts';

export interface CheckLedgerLoopDeps extends CheckLedgerDeps {
  readonly instruments: Instruments;
  readonly guards: Pick<Guards, 'guard'>;
  readonly onError: (error: Error) => void;
}

export function startLedgerCheck(deps: CheckLedgerLoopDeps, everyMs: number): Loop {
  const report = makeGauges(deps.instruments);
  const guard = deps.guards.guard({ name: 'The check of the ledger', everyMs, stops: 'all' });
  let unchecked = '';
  return startLoop({
    everyMs,
    guard,
    turn: async () => {
      const state = await checkLedger(deps, guard.progressed);
      report(state, await deps.ledgerAudit.listHalts());
      const strange = state.unchecked.join(', ');
      if (strange !== unchecked && strange !== '') {
        deps.onTrouble('the ledger cannot be compared across assets', { decimals_unknown: state.unchecked });
      }
      unchecked = strange;
    },
    onError: deps.onError,
  });
}

function makeGauges(instruments: Instruments): (state: LedgerVerdict, halts: readonly Halt[]) => void {
  const drift = instruments.gauge(
    'sliproad_ledger_drift',
    'The amount by which the ledger does not balance, in minor units of the asset; 0 while it is sound.',
    ['mode', 'asset'],
  );
  const halted = instruments.gauge('sliproad_ledger_halted', '1 while sends of the asset are halted.', [
    'mode',
    'asset',
  ]);
  const balance = instruments.gauge(
    'sliproad_account_balance',
    'Ledger balances, positive on the normal side of the account, in minor units.',
    ['mode', 'asset', 'account'],
  );
  const checked = instruments.counter(
    'sliproad_ledger_checked_entries_total',
    'Ledger entries that this process was the first to check.',
  );
  return ({ accounts, findings, newEntries }, halts) => {
    const assets = assetsOf(accounts, halts);
    drift(assets.map((labels) => ({ labels, value: Number(driftOf(findings, labels)) })));
    halted(assets.map((labels) => ({ labels, value: isHalted(halts, labels) ? 1 : 0 })));
    balance(balancesOf(accounts));
    checked(newEntries);
  };
}

type AssetLabels = Readonly<Record<'mode' | 'asset', string>>;

function assetsOf(accounts: readonly AccountBalance[], halts: readonly Halt[]): AssetLabels[] {
  return MODES.flatMap((mode) => {
    const own = [...accounts, ...halts].filter((each) => each.mode === mode);
    return [...new Set(own.map(({ asset }) => asset))].map((asset) => ({ mode, asset }));
  });
}

/** Each finding counts once, under the asset of its amount. */
function driftOf(findings: readonly LedgerFinding[], { mode, asset }: AssetLabels): bigint {
  return findings
    .filter((finding) => finding.mode === mode && finding.assets[0] === asset)
    .reduce((total, { driftMinor }) => total + (driftMinor < 0n ? -driftMinor : driftMinor), 0n);
}

function isHalted(halts: readonly Halt[], { mode, asset }: AssetLabels): boolean {
  return halts.some((halt) => halt.mode === mode && halt.asset === asset);
}

/** The bank accounts of all vendors share one series, because a mode may have many vendors. */
function balancesOf(accounts: readonly AccountBalance[]): Series<'mode' | 'asset' | 'account'>[] {
  const sums = new Map<string, { labels: { mode: string; asset: string; account: string }; minor: bigint }>();
  for (const { mode, asset, name, side, balanceMinor } of accounts) {
    const key = `${mode}/${asset}/${name}`;
    const before = sums.get(key)?.minor ?? 0n;
    const minor = before + (side === 'debit' ? balanceMinor : -balanceMinor);
    sums.set(key, { labels: { mode, asset, account: name }, minor });
  }
  return [...sums.values()].map(({ labels, minor }) => ({ labels, value: Number(minor) }));
}

// The check of the ledger and the measurement of the queues run in separate loops, so that a problem with one does not stop the
// other.
const EVERY_MS = 10_000;

export function startLedgerWatch(
  deps: CheckLedgerLoopDeps & WatchQueuesDeps & { readonly everyMs?: number },
): Loop {
  const everyMs = deps.everyMs ?? EVERY_MS;
  const loops = [startLedgerCheck(deps, everyMs), startQueueWatch(deps, everyMs)];
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
