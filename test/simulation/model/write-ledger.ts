// Writes entries, balances and conditions. A statement changes each account by the sum of all its postings: an account may be
// negative during the statement, but not at its end.
import { parseLedgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import type { Entry } from '../../../src/domain/ledger/ledger.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import { pushNoted, setNoted, type Write } from './journal.ts';
import type { Memory } from './tables.ts';

interface Account {
  readonly side: 'debit' | 'credit';
  /** An entry must balance per mode and asset. */
  readonly within: string;
}

const KNOWN = new Map<string, Account>();

function accountOf(key: string): Account {
  let account = KNOWN.get(key);
  if (account === undefined) {
    const { mode, asset, side } = parseLedgerKey(key);
    account = { side, within: `${mode}/${asset}` };
    KNOWN.set(key, account);
  }
  return account;
}

/** An account is created when a change first names it, even if that change is refused. */
export function makeAccounts({ accounts }: Memory, { entries, conditions }: Change): void {
  const make = (account: string) => accounts.has(account) || accounts.set(account, 0n);
  for (const { postings } of entries ?? []) for (const { account } of postings) make(account);
  for (const { notNegative } of conditions ?? []) for (const account of notNegative) make(account);
}

export const writeEntries: Write = ({ accounts, entries }, changes, journal) => {
  for (const change of changes) {
    for (const { event, mode, subjectId, postings } of change.entries ?? []) {
      if (postings.length === 0) continue;
      for (let index = 0; index < postings.length; index++) {
        const { account, amountMinor } = postings[index]!;
        if (amountMinor === 0n) return 'postings_amount_minor_check';
        for (let other = 0; other < index; other++)
          if (postings[other]!.account === account) return 'postings_pkey';
        setNoted(journal, accounts, account, accounts.get(account)! + amountMinor);
      }
      pushNoted(journal, entries, { event, subjectId, mode, atMs: change.atMs, postings });
    }
  }
  return null;
};

/** Runs before any account is checked, because the adapter checks conditions before it writes the balances. */
export const brokenCondition: Write = ({ accounts }, changes) => {
  for (const { conditions } of changes) {
    for (const { notNegative } of conditions ?? []) {
      let leftMinor = 0n;
      for (const account of notNegative) leftMinor += accounts.get(account)!;
      if (leftMinor < 0n) return 'accounts_together_not_negative';
    }
  }
  return null;
};

export const negativeAccount: Write = ({ accounts }, changes) => {
  for (const { entries } of changes) {
    for (const { postings } of entries ?? []) {
      for (const { account } of postings) {
        const balance = accounts.get(account)!;
        if (accountOf(account).side === 'debit' ? balance < 0n : balance > 0n) return 'accounts_not_negative';
      }
    }
  }
  return null;
};

/** Every entry must add up to zero in each mode and asset. The model checks this after it has written everything. */
export const unbalanced: Write = (_memory, changes) => {
  for (const change of changes) {
    for (const { postings } of change.entries ?? []) {
      if (!isBalanced(postings)) return 'postings_balance';
    }
  }
  return null;
};

function isBalanced(postings: Entry['postings']): boolean {
  for (const { account } of postings) {
    const { within } = accountOf(account);
    let sum = 0n;
    for (const each of postings) if (accountOf(each.account).within === within) sum += each.amountMinor;
    if (sum !== 0n) return false;
  }
  return true;
}
