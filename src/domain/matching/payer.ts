// The payer's number, name, bank and words, as banks report them, beside those of a claim. Only a whole number is
// an identity, because vendors are shared between businesses and many accounts end alike.
import type { ClaimFacts } from './facts.ts';
import { compareNames, NOT_GIVEN, type ReadName, readName } from './name-match.ts';
import type { NameFlag } from './names.ts';

export type AccountLink = 'equal' | 'suffix' | 'different' | 'unknown';

const WHOLE = /^[0-9]{10}$/;
const MASKED = /^([0-9]*)[*x#•.]+([0-9]*)$/i;
const SHORTENED = /^[0-9]{1,9}$/;
const SUFFIX_MIN = 3;

/** Compares the payer's number, as the bank gives it, with a claimed one. */
export function compareAccounts(payerAccount: string | null, accountNumber: string): AccountLink {
  const text = (payerAccount ?? '').replace(/[\s-]/g, '');
  // Some banks fill the field with zeros when they do not know.
  if (/^0*$/.test(text)) return 'unknown';
  if (WHOLE.test(text)) return text === accountNumber ? 'equal' : 'different';
  // Digits alone, but too few: a suffix, or leading zeros lost on the way.
  const [, head = '', tail = ''] = SHORTENED.test(text) ? [text, '', text] : (MASKED.exec(text) ?? []);
  if (!accountNumber.startsWith(head) || !accountNumber.endsWith(tail)) return 'different';
  return tail.length >= SUFFIX_MIN ? 'suffix' : 'unknown';
}

/** All ten digits are given, so that another number is surely another account. */
export function isWhole(payerAccount: string | null): boolean {
  const text = (payerAccount ?? '').replace(/[\s-]/g, '');
  return WHOLE.test(text) && !/^0*$/.test(text);
}

const LOOK_ALIKE_FLAGS: readonly NameFlag[] = [
  'mixed_script',
  'non_latin',
  'invisible_characters',
  'compatibility_characters',
];

export type BankLink = 'equal' | 'different' | 'unknown';

export function compareBanks(payer: string | null, claimed: string | null): BankLink {
  if (payer === null || claimed === null || NOT_GIVEN.test(payer) || NOT_GIVEN.test(claimed))
    return 'unknown';
  return payer.trim().toLowerCase() === claimed.trim().toLowerCase() ? 'equal' : 'different';
}

export type NameLink = 'strong' | 'weak' | 'different' | 'suspicious' | 'not_given';

/** `payer`: who paid, as the bank names them. */
export function judgeName(payer: ReadName, claim: Pick<ClaimFacts, 'accountName' | 'flags'>): NameLink {
  // The claim's name is stored as it is shown, so what was hidden in it is known from the flags only.
  if (claim.flags.some((flag) => LOOK_ALIKE_FLAGS.some((known) => known === flag))) return 'suspicious';
  const claimed = readName(claim.accountName);
  if (payer.isSuspicious || claimed.isSuspicious) return 'suspicious';
  if (!payer.isGiven || !claimed.isGiven) return 'not_given';
  return compareNames(payer, claimed).verdict;
}

const REFERENCE_MIN = 6;

/** Whether the payer's words name the claim: by our id, or by its reference, however it was spaced. */
export function isNamedIn(narration: string | null, claim: ClaimFacts): boolean {
  if (narration === null) return false;
  return standsIn(narration, claim.transactionId) || standsIn(narration, claim.reference);
}

/**
 * A reference is chosen by the business. One such as TRANSFER, a date or the payer's number would stand in
 * anyone's narration, so only a mix of letters and digits counts, and not within a longer word.
 */
function standsIn(narration: string, reference: string): boolean {
  const letters = reference.replace(/[^a-z0-9]/gi, '');
  if (letters.length < REFERENCE_MIN || !/[a-z]/i.test(letters) || !/[0-9]/.test(letters)) return false;
  const spaced = [...letters].join('[^a-z0-9]*');
  return new RegExp(`(?<![a-z0-9])${spaced}(?![a-z0-9])`, 'i').test(narration);
}
