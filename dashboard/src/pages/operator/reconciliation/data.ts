// Reconciled days as the session API answers them, and their states in words.
import type { Tone } from '../../../parts/tone.ts';

export interface Side {
  readonly opening: string;
  readonly in: string;
  readonly out: string;
  readonly charges: string;
  readonly closing: string;
}

export interface Day {
  readonly account: string;
  readonly day: string;
  readonly state: 'balanced' | 'explained' | 'differs' | 'no_statement';
  readonly books: Side;
  readonly statement: Side | null;
  readonly rail: { readonly balance: string; readonly books: string; readonly at: string } | null;
  readonly links: number;
  readonly explained: number;
  readonly unexplained: number;
  readonly explained_amount: string;
  readonly unexplained_amount: string;
  readonly reconciled_at: string;
}

export interface DayPage {
  readonly days: readonly Day[];
  readonly accounts: readonly { readonly account: string; readonly vendor: string | null }[];
  readonly last_whole_day: string;
  readonly next_cursor: string | null;
}

export interface Item {
  readonly entry: string;
  readonly event: string;
  readonly subject_id: string;
  readonly day: string;
  readonly at: string;
  readonly amount: string;
}

export interface Row {
  readonly id: string;
  readonly day: string;
  readonly kind: string;
  readonly narration: string;
  readonly reference: string | null;
  readonly session_id: string | null;
  readonly amount: string;
}

export interface Difference {
  readonly id: string;
  readonly kind: string;
  readonly reason: string;
  readonly day: string;
  readonly amount: string;
  readonly explained: boolean;
  readonly what: string;
  readonly next: string | null;
  readonly case_id: string | null;
  readonly case_outcome: string | null;
  readonly item: Item | null;
  readonly row: Row | null;
}

export interface Link {
  readonly way: string;
  readonly items: readonly Item[];
  readonly rows: readonly Row[];
}

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  readonly means: string;
}

export const STATES: Readonly<Record<Day['state'], StateWords>> = {
  balanced: { label: 'Balanced', tone: 'completed', means: 'The books and the statement are equal.' },
  explained: { label: 'Explained', tone: 'completed', means: 'Every difference has its reason.' },
  differs: {
    label: 'Differs',
    tone: 'failed',
    means: 'Something is unexplained. Each such difference has a case.',
  },
  no_statement: { label: 'No statement', tone: 'waiting', means: 'There is no statement of this day yet.' },
};

export const WAYS: Readonly<Record<string, string>> = {
  row: 'Made from this row',
  name: 'Same reference',
  amount: 'Amount and day',
  charges: 'Payout with charges',
  batch: 'Charges in one row',
  differs: 'Amounts differ',
};

export function vendorOf(account: string, accounts: DayPage['accounts'] | undefined): string | null {
  return accounts?.find((each) => each.account === account)?.vendor ?? null;
}

/** `058:0123456789` and its vendor. */
export function accountName(account: string, accounts: DayPage['accounts'] | undefined): string {
  const vendor = vendorOf(account, accounts);
  return vendor === null ? account : `${vendor}, ${account}`;
}
