// Lists the bugs that an engineer could introduce. Each bug is a small change to one function, and the simulation must catch
// every one of them.
import { BANK_BUGS } from './bugs/bank.ts';
import { CLAIM_BUGS } from './bugs/claims.ts';
import { DEPOSIT_BUGS } from './bugs/deposits.ts';
import { LEDGER_BUGS } from './bugs/ledger.ts';
import { MATCHING_BUGS } from './bugs/matching.ts';
import { PAYEE_BUGS } from './bugs/payees.ts';
import { RAIL_BUGS } from './bugs/rails.ts';
import { RATE_BUGS } from './bugs/rates.ts';
import { REPORT_BUGS } from './bugs/reports.ts';
import { REVIEW_BUGS } from './bugs/review.ts';
import { SEND_BUGS } from './bugs/sends.ts';
import { STANDSTILL_BUGS } from './bugs/standstill.ts';
import { STORE_BUGS } from './bugs/store.ts';
import { WEBHOOK_BUGS } from './bugs/webhooks.ts';
import type { Bug } from './patch.ts';

export const BUGS: readonly Bug[] = [
  ...BANK_BUGS,
  ...RAIL_BUGS,
  ...SEND_BUGS,
  ...DEPOSIT_BUGS,
  ...MATCHING_BUGS,
  ...CLAIM_BUGS,
  ...REPORT_BUGS,
  ...LEDGER_BUGS,
  ...PAYEE_BUGS,
  ...REVIEW_BUGS,
  ...STANDSTILL_BUGS,
  ...STORE_BUGS,
  ...WEBHOOK_BUGS,
  ...RATE_BUGS,
];
