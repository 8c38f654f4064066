// The claims that a credit may pay have a table of their own, so that finding them costs as much as there are open claims. A
// claim is there while its state is one of these. A row that was not removed does no harm, since readers check the state.
import type { State } from '../../../domain/records/states.ts';

export const OPEN_STATES: ReadonlySet<State> = new Set([
  'awaiting_wallet',
  'awaiting_payment',
  'expired',
  'on_hold',
  'cancelled',
]);

/** `state in …` */
export const IS_OPEN = `(${[...OPEN_STATES].map((state) => `'${state}'`).join(', ')})`;

export const CLAIM_COLUMNS =
  'transaction_id, mode, vendor_number, account_number, amount_minor, expires_at, reference';
