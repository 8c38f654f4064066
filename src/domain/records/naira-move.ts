// Naira that people moved at a bank: put in, taken out, moved between accounts of ours, charged, given back. Two people book each
// with the day and the reference of the bank statement, and a line of a statement is booked once.
import type { Mode } from '../values/mode.ts';

export const NAIRA_MOVE_KINDS = ['put_in', 'taken_out', 'moved', 'charge_seen', 'charge_returned'] as const;
export type NairaMoveKind = (typeof NAIRA_MOVE_KINDS)[number];

export const CHARGE_KINDS = ['transfer_fee', 'vat', 'stamp_duty'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** A bank account of ours as the ledger names it. */
export interface BookedAccount {
  /** A vendor's account, or one that payouts are made from. */
  readonly name: 'bank_in' | 'bank_out';
  /** `058:0123456789`; null: that of the simulated bank. */
  readonly detail: string | null;
}

export interface NairaFacts {
  readonly mode: Mode;
  readonly kind: NairaMoveKind;
  /** The kind of charge or levy; null for all other moves. */
  readonly charge: ChargeKind | null;
  /** The bank account whose statement shows it. */
  readonly account: BookedAccount;
  /** The destination account of `moved`. */
  readonly to: BookedAccount | null;
  readonly nairaMinor: bigint;
  /** `2026-11-16`, of the statement. */
  readonly day: string;
  /** The reference on the statement: the session id, or the bank's own. */
  readonly reference: string;
}

export interface NairaMove extends NairaFacts {
  readonly id: string;
}

/** `bank_out/058:0123456789`: its name in the ledger without mode and asset. */
export function formatLedgerAccount({ name, detail }: BookedAccount): string {
  return detail === null ? name : `${name}/${detail}`;
}

/** `058:0123456789`, as people name it. */
export function formatBankAccount({ detail }: BookedAccount): string {
  return detail ?? SIMULATED_ACCOUNT;
}

/** The name for people of the account that has no name in the ledger. */
export const SIMULATED_ACCOUNT = 'simulated';
