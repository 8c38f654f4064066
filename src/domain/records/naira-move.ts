// Naira that people moved at a bank: deposited, withdrawn, transferred between our accounts, charged or returned. Two people book
// each move with the day and the reference of the bank statement, and each statement line is booked once.
import type { Mode } from '../values/mode.ts';

export const NAIRA_MOVE_KINDS = ['put_in', 'taken_out', 'moved', 'charge_seen', 'charge_returned'] as const;
export type NairaMoveKind = (typeof NAIRA_MOVE_KINDS)[number];

export const CHARGE_KINDS = ['transfer_fee', 'vat', 'stamp_duty'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** One of our bank accounts, by its ledger name. */
export interface BookedAccount {
  /** A vendor's account, or an account that makes payouts. */
  readonly name: 'bank_in' | 'bank_out';
  /** For example `058:0123456789`; null: the account of the simulated bank. */
  readonly detail: string | null;
}

export interface NairaFacts {
  readonly mode: Mode;
  readonly kind: NairaMoveKind;
  /** The kind of charge or levy; null for moves of other kinds. */
  readonly charge: ChargeKind | null;
  /** The bank account whose statement shows the move. */
  readonly account: BookedAccount;
  /** The destination account of `moved`. */
  readonly to: BookedAccount | null;
  readonly nairaMinor: bigint;
  /** The day on the statement, such as `2026-11-16`. */
  readonly day: string;
  /** The reference on the statement: the session id, or the bank's own reference. */
  readonly reference: string;
}

export interface NairaMove extends NairaFacts {
  readonly id: string;
}

/** The ledger name without mode and asset, such as `bank_out/058:0123456789`. */
export function formatLedgerAccount({ name, detail }: BookedAccount): string {
  return detail === null ? name : `${name}/${detail}`;
}

/** The name that people see, such as `058:0123456789`. */
export function formatBankAccount({ detail }: BookedAccount): string {
  return detail ?? SIMULATED_ACCOUNT;
}

/** The name that people see for the simulated bank's account, which has no name in the ledger. */
export const SIMULATED_ACCOUNT = 'simulated';
