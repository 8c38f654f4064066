// What a code of a bank means to us. Each rail has one table of these (its codes.ts); a code that is not in it is unknown.
import type { Fault, PayoutOrder, PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import type { NoAnswer } from './call-bank.ts';

export type CodeMeaning =
  | { readonly outcome: 'paid'; readonly means: string }
  | { readonly outcome: 'pending'; readonly means: string }
  /** Its documentation calls it final: nothing was paid under this reference, and nothing will be. */
  | { readonly outcome: 'failed'; readonly means: string; readonly fault: Fault }
  | { readonly outcome: 'returned'; readonly means: string }
  | { readonly outcome: 'not_found'; readonly means: string }
  /** The reference was used before: the rail must be asked what became of it. */
  | { readonly outcome: 'duplicate'; readonly means: string }
  | { readonly outcome: 'unknown'; readonly means: string };

export type MeaningTable = Readonly<Record<string, CodeMeaning>>;

export const NO_CODES: ReadonlySet<string> = new Set();

/** A code that the operator does not take for a refusal, whatever the table says: stricter is always allowed. */
export function distrustUnsureCode(
  meaning: CodeMeaning,
  code: string | null,
  unsure: ReadonlySet<string>,
): CodeMeaning {
  if (meaning.outcome !== 'failed' || code === null || !unsure.has(code)) return meaning;
  return { outcome: 'unknown', means: `${meaning.means}; the settings call it unsure` };
}

/** Words about the account that is paid; the NIP table has them. */
const ACCOUNT_FAULT_WORDS = [
  ...['dormant', 'invalid account', 'unknown-account', 'unknown account', 'account not found'],
  ...['account blocked', 'blocked account', 'closed account', 'account closed', 'inactive account'],
  ...['post no credit', 'account name mismatch', 'name-differs'],
];

/** Whose fault a refusal is, by what the rail says of it. In doubt its own: then another one is tried, and the customer loses nothing. */
export function faultOfRefusal(said: readonly (string | null)[]): Fault {
  const text = said.join(' ').toLowerCase();
  return ACCOUNT_FAULT_WORDS.some((words) => text.includes(words)) ? 'payout' : 'rail';
}

const SHOWABLE = /^[\w -]{1,40}$/;

/** A code that is not in the table proves nothing. */
export function lookUpMeaning(table: MeaningTable, code: string | null): CodeMeaning {
  if (code === null) return { outcome: 'unknown', means: 'an answer without a code' };
  if (Object.hasOwn(table, code)) return table[code]!;
  const shown = SHOWABLE.test(code) ? code : 'a code that cannot be shown';
  return { outcome: 'unknown', means: `an undocumented code (${shown})` };
}

/** The outcome of a meaning that needs nothing more of the answer than its code. */
export function statusOfMeaning(
  meaning: Exclude<CodeMeaning, { outcome: 'paid' }>,
  code: string | null,
): PayoutStatus {
  const reason = code === null ? meaning.means : `${meaning.means} (${code})`;
  switch (meaning.outcome) {
    case 'pending':
    case 'not_found':
      return { kind: meaning.outcome };
    case 'failed':
      return { kind: 'failed', reason, fault: meaning.fault };
    case 'returned':
      return { kind: 'returned', reason };
    case 'duplicate':
    case 'unknown':
      return { kind: 'unknown', reason };
  }
}

/** A question that got no answer: nothing was learned, whether or not it left. */
export function unknownOutcome({ reason }: NoAnswer): { readonly kind: 'unknown'; readonly reason: string } {
  return { kind: 'unknown', reason };
}

/** An order that got no answer. */
export function statusOfUnansweredOrder(answer: NoAnswer): PayoutStatus {
  return answer.kind === 'not_sent' ? answer : unknownOutcome(answer);
}

// What the answer to an order means for the payout. A refusal of the call is a refusal of the payout only when no earlier call can
// have paid it; otherwise, and when the reference is in use already, only the rail's answer about the reference counts.
type UnpaidMeaning = Exclude<CodeMeaning, { outcome: 'paid' }>;

export async function statusOfOrder(
  { isFirst = false }: Pick<PayoutOrder, 'isFirst'>,
  meaning: UnpaidMeaning,
  code: string | null,
  ask: () => Promise<PayoutStatus>,
): Promise<PayoutStatus> {
  const refusedAgain = meaning.outcome === 'failed' && !isFirst;
  if (meaning.outcome === 'duplicate' || refusedAgain) return unknownIfNotFound(await ask(), meaning.means);
  // An order that is not found is not an order that was refused.
  if (meaning.outcome === 'not_found') return { kind: 'unknown', reason: meaning.means };
  return statusOfMeaning(meaning, code);
}

/** A reference that is said to be in use, or may be, and is not found: it may still be on its way. */
function unknownIfNotFound(status: PayoutStatus, said: string): PayoutStatus {
  if (status.kind !== 'not_found') return status;
  return { kind: 'unknown', reason: `${said}; and the reference is not found` };
}
