// Reads the ledgers of a server, the range of its history, and whether it is still adding new ledgers.
import {
  fieldsOf,
  type HorizonFields,
  numberOf,
  recordsOf,
  textOf,
  timeMsOf,
  UnreadableAnswer,
  wholeOf,
} from './fields.ts';
import { type Horizon, HorizonError } from './horizon.ts';

export interface StellarLedgerState {
  readonly sequence: number;
  readonly closedAtMs: number;
  readonly baseReserveMinor: bigint;
}

/** The last ledger that this server has added to its history. */
export async function loadLedger(horizon: Horizon): Promise<StellarLedgerState> {
  const [last] = recordsOf(await horizon.need('/ledgers?order=desc&limit=1'));
  return readLedger(fieldsOf(last, 'the last ledger'));
}

/** Undefined means that this server does not have the ledger yet. A closed ledger never changes, so any server may show it. */
export async function findLedger(
  horizon: Horizon,
  sequence: number,
): Promise<StellarLedgerState | undefined> {
  const found = await horizon.get(`/ledgers/${sequence}`);
  const ledger = found === undefined ? undefined : readLedger(found);
  if (ledger !== undefined && ledger.sequence !== sequence)
    throw new UnreadableAnswer('the server answered with another ledger');
  return ledger;
}

function readLedger(ledger: HorizonFields): StellarLedgerState {
  return {
    sequence: numberOf(ledger, 'sequence'),
    closedAtMs: timeMsOf(ledger, 'closed_at'),
    baseReserveMinor: wholeOf(ledger, 'base_reserve_in_stroops'),
  };
}

export interface ServerHistory {
  readonly passphrase: string;
  readonly eldest: number;
  readonly latest: number;
  readonly latestClosedAtMs: number;
}

export async function loadHistory(horizon: Horizon): Promise<ServerHistory> {
  const root = await horizon.need('/');
  return {
    passphrase: textOf(root, 'network_passphrase'),
    eldest: numberOf(root, 'history_elder_ledger'),
    latest: numberOf(root, 'history_latest_ledger'),
    latestClosedAtMs: timeMsOf(root, 'history_latest_ledger_closed_at'),
  };
}

/** A server without a new ledger for this time is stalled, because ledgers close every few seconds. */
const STALE_AFTER_MS = 10 * 60_000;
/** The maximum difference between clocks. Bytes that are valid for longer would block the account for that time. */
const AHEAD_AT_MOST_MS = 24 * 60 * 60_000;

/**
 * Throws for a stalled server, so that a different server is asked. To a client of a stalled server, the network looks as if it
 * had no new transactions.
 */
export function requireFresh(closedAtMs: number, nowMs: number): void {
  if (nowMs - closedAtMs > STALE_AFTER_MS)
    throw new HorizonError('a server has not ingested a ledger for a long time');
  if (closedAtMs - nowMs > AHEAD_AT_MOST_MS)
    throw new HorizonError('the last ledger of a server closed in the future');
}
