// Defines what the codes of a bank mean to the service. Each rail has one table of meanings (its codes.ts). The meaning of any
// other code is unknown.
import type { Fault, PayoutOrder, PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import type { NoAnswer } from './call-bank.ts';

export type CodeMeaning =
  | { readonly outcome: 'paid'; readonly means: string }
  | { readonly outcome: 'pending'; readonly means: string }
  /**
   * According to the bank's documentation the code is final: nothing was paid under this reference, and nothing will be paid.
   */
  | { readonly outcome: 'failed'; readonly means: string; readonly fault: Fault }
  | { readonly outcome: 'returned'; readonly means: string }
  | { readonly outcome: 'not_found'; readonly means: string }
  /** The payout reference was used before, so the service must query the rail for the outcome of that reference. */
  | { readonly outcome: 'duplicate'; readonly means: string }
  | { readonly outcome: 'unknown'; readonly means: string };

export type MeaningTable = Readonly<Record<string, CodeMeaning>>;

export const NO_CODES: ReadonlySet<string> = new Set();

/**
 * A code in `unsure_codes` never counts as a refusal, even if the table of codes says so. The operator may always be stricter
 * than the table.
 */
export function distrustUnsureCode(
  meaning: CodeMeaning,
  code: string | null,
  unsure: ReadonlySet<string>,
): CodeMeaning {
  if (meaning.outcome !== 'failed' || code === null || !unsure.has(code)) return meaning;
  return { outcome: 'unknown', means: `${meaning.means}; the code is in "unsure_codes"` };
}

/** Phrases about the destination account, from the NIP table. */
const ACCOUNT_FAULT_WORDS = [
  ...['dormant', 'invalid account', 'unknown-account', 'unknown account', 'account not found'],
  ...['account blocked', 'blocked account', 'closed account', 'account closed', 'inactive account'],
  ...['post no credit', 'account name mismatch', 'name-differs'],
];

/**
 * Decides from the rail's text whether the payout or the rail caused a refusal. In case of doubt the rail counts as the cause.
 * Then another rail is tried, and the customer loses nothing.
 */
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

/**
 * Returns the outcome of a query to which the bank gave no response. The outcome is unknown, whether or not the query was sent.
 */
export function unknownOutcome({ reason }: NoAnswer): { readonly kind: 'unknown'; readonly reason: string } {
  return { kind: 'unknown', reason };
}

export function statusOfUnansweredOrder(answer: NoAnswer): PayoutStatus {
  return answer.kind === 'not_sent' ? answer : unknownOutcome(answer);
}

// Decides what the response to an order means for the payout. If the rail refuses the call, the payout is refused only if no
// earlier call can have paid it. Otherwise, and if the reference is already in use, the service queries the rail by the
// reference, and only that response counts.
type UnpaidMeaning = Exclude<CodeMeaning, { outcome: 'paid' }>;

export async function statusOfOrder(
  { isFirst = false }: Pick<PayoutOrder, 'isFirst'>,
  meaning: UnpaidMeaning,
  code: string | null,
  ask: () => Promise<PayoutStatus>,
): Promise<PayoutStatus> {
  const refusedAgain = meaning.outcome === 'failed' && !isFirst;
  if (meaning.outcome === 'duplicate' || refusedAgain) return unknownIfNotFound(await ask(), meaning.means);
  // If the rail responds "not found" to an order, this is not a refusal.
  if (meaning.outcome === 'not_found') return { kind: 'unknown', reason: meaning.means };
  return statusOfMeaning(meaning, code);
}

/**
 * The rail does not find a reference that is or may be in use. The order may still be in progress, so the outcome is unknown.
 */
function unknownIfNotFound(status: PayoutStatus, said: string): PayoutStatus {
  if (status.kind !== 'not_found') return status;
  return { kind: 'unknown', reason: `${said}, but the reference is not found` };
}
