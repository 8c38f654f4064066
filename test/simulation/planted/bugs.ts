// Mistakes somebody could make, each as a change to the text of one place. The simulation must catch every one of them.
import { BANK_BUGS } from './bugs-bank.ts';
import { LEDGER_BUGS } from './bugs-ledger.ts';
import { MATCHING_BUGS } from './bugs-matching.ts';
import { NETWORK_BUGS } from './bugs-networks.ts';
import { PAYEE_BUGS } from './bugs-payees.ts';
import { REVIEW_BUGS } from './bugs-review.ts';
import { STANDSTILL_BUGS } from './bugs-standstill.ts';
import { STORE_BUGS } from './bugs-store.ts';
import type { Bug } from './plant.ts';

export const BUGS: readonly Bug[] = [
  ...BANK_BUGS,
  ...NETWORK_BUGS,
  ...MATCHING_BUGS,
  ...LEDGER_BUGS,
  ...PAYEE_BUGS,
  ...REVIEW_BUGS,
  ...STANDSTILL_BUGS,
  ...STORE_BUGS,
];
