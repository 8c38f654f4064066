// The texts for the states of reconciled days.
import type { Link, ListReconciledDaysAnswer, ReconciledDay } from '../../../api/console-types.ts';
import type { Tone } from '../../../components/format.ts';

type Accounts = ListReconciledDaysAnswer['accounts'];

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  readonly means: string;
}

export const STATES: Readonly<Record<ReconciledDay['state'], StateWords>> = {
  balanced: { label: 'Balanced', tone: 'completed', means: 'The books and the statement agree.' },
  explained: { label: 'Explained', tone: 'completed', means: 'Every difference is explained.' },
  differs: {
    label: 'Differs',
    tone: 'failed',
    means: 'Some differences are unexplained. Each of them has a case.',
  },
  no_statement: { label: 'No statement', tone: 'waiting', means: 'No statement for this day yet.' },
  statement_missing: {
    label: 'Statement missing',
    tone: 'person',
    means: 'A later day has a statement, but this day has none. Import it.',
  },
};

export function isState(text: string): text is ReconciledDay['state'] {
  return Object.hasOwn(STATES, text);
}

export const WAYS: Readonly<Record<Link['way'], string>> = {
  row: 'Created from this row',
  name: 'Same reference',
  party: 'Account or name, amount and day',
  amount: 'Amount and day',
  charges: 'Payout with charges',
  batch: 'Charges in one row',
  differs: 'Amounts differ',
};

export function vendorOf(account: string, accounts: Accounts | undefined): string | null {
  return accounts?.find((each) => each.account === account)?.vendor ?? null;
}

/** Returns the account, such as `058:0123456789`, and the name of its vendor. */
export function accountName(account: string, accounts: Accounts | undefined): string {
  const vendor = vendorOf(account, accounts);
  return vendor === null ? account : `${vendor}, ${account}`;
}
