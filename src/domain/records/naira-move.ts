// Naira that people moved at a bank: deposited, withdrawn, transferred between our accounts, charged or returned. Two people
// book each move with the day and the reference of the bank statement. Each statement line is booked once.
import type { Mode } from '../values/mode.ts';

export const NAIRA_MOVE_KINDS = ['put_in', 'taken_out', 'moved', 'charge_seen', 'charge_returned'] as const;
export type NairaMoveKind = (typeof NAIRA_MOVE_KINDS)[number];

export const CHARGE_KINDS = ['transfer_fee', 'vat', 'stamp_duty'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

export interface BookedAccount {
  /** `bank_in`: a vendor's account. `bank_out`: an account that makes payouts. */
  readonly name: 'bank_in' | 'bank_out';
  /** The bank account, for example `058:0123456789`. Null: the account of the simulated bank. */
  readonly detail: string | null;
}

export interface NairaFacts {
  readonly mode: Mode;
  readonly kind: NairaMoveKind;
  /** The kind of charge or levy. Null: the move is not a charge. */
  readonly charge: ChargeKind | null;
  readonly account: BookedAccount;
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

export function formatBankAccount({ detail }: BookedAccount): string {
  return detail ?? SIMULATED_ACCOUNT;
}

/** The name that people see for the account of the simulated bank. This account has no name in the ledger. */
export const SIMULATED_ACCOUNT = 'simulated';
