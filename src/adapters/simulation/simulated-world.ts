// The storage of the simulated outside world: rows that stand once they are put, and two logs read after a position.
// What a row means at a given time is the simulated network's and the simulated bank's to say.
import type { CreditLine, NoticeLine } from '../../ports/rails/rail-statement.ts';
import type { Plays, Scenario } from '../../ports/sandbox.ts';

/**
 * `expired`: it was not broadcast in time. `fails`: it lands, and pays nothing. `unpaid`: it lands and pays the others
 * in it, and not this order.
 */
export type TransferFate = 'lands' | 'reorganised' | 'fails' | 'dropped' | 'rejected' | 'expired' | 'unpaid';
export const PAYING_FATES: readonly TransferFate[] = ['lands', 'reorganised'];

/** One order in a signed payment. Those of one hash share everything but the fate `unpaid`. */
export interface WorldTransfer {
  readonly orderId: string;
  readonly hash: string;
  readonly network: string;
  readonly about: string | null;
  readonly address: string;
  readonly amountMinor: bigint;
  readonly fate: TransferFate;
  readonly atMs: number;
  /** When it is included for good. */
  readonly includedAtMs: number;
  readonly finalAtMs: number;
}

export type ArrivalFate = 'settles' | 'gone';

export interface WorldArrival {
  readonly id: string;
  readonly network: string;
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  readonly memo: string | null;
  readonly sender: string | null;
  readonly ourToken: boolean;
  readonly amountMinor: bigint;
  readonly fate: ArrivalFate;
  readonly atMs: number;
  readonly settledAtMs: number;
}

/** `unclear` and `missing` pay too, after a time in which the bank says nothing useful. */
export type PayoutFate = 'pays' | 'fails' | 'unclear' | 'missing';

export interface WorldPayout {
  readonly reference: string;
  readonly about: string | null;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly amountMinor: bigint;
  readonly chargeMinor: bigint;
  readonly sessionId: string;
  readonly fate: PayoutFate;
  readonly atMs: number;
  readonly settledAtMs: number;
}

export interface WorldStatementRow {
  /** From 1: a line reported twice is there as 1 and 2. */
  readonly copy: number;
  readonly reportedAtMs: number;
  readonly line: CreditLine | NoticeLine;
}

/** `tries`: how often it was put. */
export type StoredWorldRow<Row> = Row & { readonly tries: number };

export interface WorldRows<Row, Key> {
  /** The row as it stands: the first one put under its key wins; later ones change nothing. */
  put(row: Row): Promise<StoredWorldRow<Row>>;
  find(key: Key): Promise<StoredWorldRow<Row> | undefined>;
}

/** Positions are whole numbers from 1, visible in their order. */
export type PositionedRow<Row> = Row & { readonly position: number };

export interface SimulatedWorld {
  readonly transfers: Pick<WorldRows<WorldTransfer, Pick<WorldTransfer, 'orderId' | 'hash'>>, 'find'> & {
    /** All orders of one hash, or none: the first process that puts them decides for all of them. Answers in their order. */
    put(rows: readonly WorldTransfer[]): Promise<readonly StoredWorldRow<WorldTransfer>[]>;
    ofOrder(orderId: string): Promise<readonly WorldTransfer[]>;
    /** What pays, is included by a time, and was not final at an earlier one; in a fixed order. */
    paidSince(network: string, afterMs: number, nowMs: number): Promise<readonly WorldTransfer[]>;
  };
  /** Put again, an arrival is reported again: it moves to the end of the log. */
  readonly arrivals: WorldRows<WorldArrival, Pick<WorldArrival, 'network' | 'txHash' | 'txIndex'>> & {
    after(network: string, position: number, limit: number): Promise<readonly PositionedRow<WorldArrival>[]>;
  };
  readonly payouts: WorldRows<WorldPayout, Pick<WorldPayout, 'reference'>> & {
    ofTransaction(about: string): Promise<readonly WorldPayout[]>;
  };
  readonly statement: WorldRows<WorldStatementRow, Pick<CreditLine | NoticeLine, 'kind' | 'sourceId'>> & {
    after(position: number, limit: number): Promise<readonly PositionedRow<WorldStatementRow>[]>;
  };
  readonly plays: Plays & {
    scenarioOf(transactionId: string): Promise<Scenario | undefined>;
    /** When a play's wallet was first asked about: now, or the time recorded before. */
    walletAskedAtMs(transactionId: string, atMs: number): Promise<number>;
  };
  /** What a network had settled by a time, in the token's minor units. */
  settledMinor(network: string, atMs: number): Promise<{ readonly out: bigint; readonly in: bigint }>;
  /** Resolves when every write in progress is answered. */
  drain(): Promise<void>;
}
