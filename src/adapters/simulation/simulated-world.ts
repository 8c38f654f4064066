// The storage of the simulated outside world: rows that never change after the first put, and two logs that are read from a
// position. The simulated network and the simulated bank decide what a row means at a given time.
import type { CreditLine, NoticeLine } from '../../ports/rails/rail-statement.ts';
import type { Plays, Scenario } from '../../ports/sandbox.ts';

/**
 * What happens to a simulated transfer. `expired`: the network transaction was not broadcast in time. `fails`: it is included
 * but pays nothing. `unpaid`: it is included and pays its other orders, but not this order.
 */
export type TransferFate = 'lands' | 'reorganised' | 'fails' | 'dropped' | 'rejected' | 'expired' | 'unpaid';
export const PAYING_FATES: readonly TransferFate[] = ['lands', 'reorganised'];

/**
 * One order in a signed payment. Orders with the same hash share all values, except that some of the orders may have the fate
 * `unpaid`.
 */
export interface WorldTransfer {
  readonly orderId: string;
  readonly hash: string;
  readonly network: string;
  readonly about: string | null;
  readonly address: string;
  readonly amountMinor: bigint;
  readonly fate: TransferFate;
  readonly atMs: number;
  /** The time from which the network includes the transfer permanently. */
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

/** `unclear` and `missing` also pay, but for a while the responses of the bank do not show it. */
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
  /** The copies of a line count from 1. A line that is reported twice has the copies 1 and 2. */
  readonly copy: number;
  readonly reportedAtMs: number;
  readonly line: CreditLine | NoticeLine;
}

export type StoredWorldRow<Row> = Row & { readonly tries: number };

export interface WorldRows<Row, Key> {
  /** Returns the stored row. The first row with a key is kept, and later rows with this key change nothing. */
  put(row: Row): Promise<StoredWorldRow<Row>>;
  find(key: Key): Promise<StoredWorldRow<Row> | undefined>;
}

/** Positions are whole numbers from 1, and rows become visible in the order of their positions. */
export type PositionedRow<Row> = Row & { readonly position: number };

export interface SimulatedWorld {
  readonly transfers: Pick<WorldRows<WorldTransfer, Pick<WorldTransfer, 'orderId' | 'hash'>>, 'find'> & {
    /**
     * Puts all orders of one hash. The first process that puts them decides all of their values. Returns the rows in the order of
     * the input.
     */
    put(rows: readonly WorldTransfer[]): Promise<readonly StoredWorldRow<WorldTransfer>[]>;
    ofOrder(orderId: string): Promise<readonly WorldTransfer[]>;
    paidSince(network: string, afterMs: number, nowMs: number): Promise<readonly WorldTransfer[]>;
  };
  /** An arrival that is put again is reported again, because it moves to the end of the log. */
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
    /** Returns when the wallet of a play was first queried: now, or the time that was recorded earlier. */
    walletAskedAtMs(transactionId: string, atMs: number): Promise<number>;
  };
  settledMinor(network: string, atMs: number): Promise<{ readonly out: bigint; readonly in: bigint }>;
  drain(): Promise<void>;
}
