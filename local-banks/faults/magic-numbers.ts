// Account numbers that always cause a fault, as in the sandboxes of real providers. People who try a bank manually use them.
// They are the same at every bank and every rail.
import type { BankFault } from './kinds.ts';

const SECONDS = 10;

interface MagicNumber {
  readonly about: string;
  readonly faults: readonly BankFault[];
}

export const MAGIC_NUMBERS: Readonly<Record<string, MagicNumber>> = {
  '0000000000': {
    about: 'no such account',
    faults: [{ kind: 'unknown-account', operation: '*' }],
  },
  '0000000006': { about: 'the account is dormant', faults: [{ kind: 'dormant' }] },
  '0000000008': {
    about: 'the name differs when the money is sent',
    faults: [{ kind: 'name-differs', operation: 'pay' }],
  },
  '0000000009': {
    about: `in progress for ${SECONDS} seconds, then paid`,
    faults: [{ kind: 'in-progress-then-success', seconds: SECONDS }],
  },
  '0000000019': {
    about: `in progress for ${SECONDS} seconds, then failed`,
    faults: [{ kind: 'in-progress-then-failure', seconds: SECONDS }],
  },
  '0000000025': {
    about: `a status query does not find the payout for ${SECONDS} seconds`,
    faults: [{ kind: 'hidden', seconds: SECONDS }],
  },
  '0000000031': {
    about: `paid, and ${SECONDS} seconds later reversed`,
    faults: [{ kind: 'success-then-reversed', seconds: SECONDS }],
  },
  '0000000032': {
    about: `failed, and ${SECONDS} seconds later paid after all`,
    faults: [{ kind: 'failed-then-success', seconds: SECONDS }],
  },
  '0000000051': { about: 'our balance is too small', faults: [{ kind: 'insufficient' }] },
  '0000000061': { about: 'over the daily limit', faults: [{ kind: 'limit' }] },
  '0000000091': {
    about: 'the bank cannot be reached over NIP',
    faults: [{ kind: 'bank-unavailable', operation: '*' }],
  },
  '0000000096': { about: 'no answer, and the money is sent', faults: [{ kind: 'timeout-after' }] },
  '0000000097': { about: 'no answer, and no money is sent', faults: [{ kind: 'timeout-before' }] },
};

export function faultsOfMagicNumber(account: string | undefined): readonly BankFault[] {
  return account === undefined ? [] : (MAGIC_NUMBERS[account]?.faults ?? []);
}
