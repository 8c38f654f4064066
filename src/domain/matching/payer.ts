// The payer's number, name, bank and words, as banks report them, beside those of a claim. Only a whole number is
// an identity, because vendors are shared between businesses and many accounts end alike.
import type { ClaimFacts } from './facts.ts';
import type { NameFlag } from './inspect-name.ts';
import { BLANK_TEXT, compareNames, type ParsedName, parseName } from './name-match.ts';

export type AccountComparison = 'equal' | 'suffix' | 'different' | 'unknown';

const FULL_NUMBER = /^[0-9]{10}$/;
const MASKED_NUMBER = /^([0-9]*)[*x#•.]+([0-9]*)$/i;
const SHORTENED_NUMBER = /^[0-9]{1,9}$/;
const SUFFIX_MIN = 3;

/** Compares the payer's number, as the bank gives it, with a claimed one. */
export function compareAccounts(payerAccount: string | null, accountNumber: string): AccountComparison {
  const text = (payerAccount ?? '').replace(/[\s-]/g, '');
  // Some banks fill the field with zeros when they do not know.
  if (/^0*$/.test(text)) return 'unknown';
  if (FULL_NUMBER.test(text)) return text === accountNumber ? 'equal' : 'different';
  // Digits alone, but too few: a suffix, or leading zeros lost on the way.
  const [, head = '', tail = ''] = SHORTENED_NUMBER.test(text)
    ? [text, '', text]
    : (MASKED_NUMBER.exec(text) ?? []);
  if (!accountNumber.startsWith(head) || !accountNumber.endsWith(tail)) return 'different';
  return tail.length >= SUFFIX_MIN ? 'suffix' : 'unknown';
}

/** All ten digits are given, so that another number is surely another account. */
export function isFullPayerAccount(payerAccount: string | null): boolean {
  const text = (payerAccount ?? '').replace(/[\s-]/g, '');
  return FULL_NUMBER.test(text) && !/^0*$/.test(text);
}

const LOOK_ALIKE_FLAGS: readonly NameFlag[] = [
  'mixed_script',
  'non_latin',
  'invisible_characters',
  'compatibility_characters',
];

export type BankComparison = 'equal' | 'different' | 'unknown';

export function compareBanks(payer: string | null, claimed: string | null): BankComparison {
  if (payer === null || claimed === null || BLANK_TEXT.test(payer) || BLANK_TEXT.test(claimed))
    return 'unknown';
  return payer.trim().toLowerCase() === claimed.trim().toLowerCase() ? 'equal' : 'different';
}

export type PayerNameComparison = 'strong' | 'weak' | 'different' | 'suspicious' | 'not_given';

/** `payer`: who paid, as the bank names them. */
export function comparePayerName(
  payer: ParsedName,
  claim: Pick<ClaimFacts, 'accountName' | 'flags'>,
): PayerNameComparison {
  // The claim's name is stored as it is shown, so what was hidden in it is known from the flags only.
  if (claim.flags.some((flag) => LOOK_ALIKE_FLAGS.some((known) => known === flag))) return 'suspicious';
  const claimed = parseName(claim.accountName);
  if (payer.isSuspicious || claimed.isSuspicious) return 'suspicious';
  if (!payer.isGiven || !claimed.isGiven) return 'not_given';
  return compareNames(payer, claimed).verdict;
}

const REFERENCE_MIN = 6;

/** Whether the payer's words name the claim: by our id, or by its reference, however it was spaced. */
export function isClaimNamedIn(narration: string | null, claim: ClaimFacts): boolean {
  if (narration === null) return false;
  return containsReference(narration, claim.transactionId) || containsReference(narration, claim.reference);
}

/**
 * A reference is chosen by the business. One such as TRANSFER, a date or the payer's number would stand in
 * anyone's narration, so only a mix of letters and digits counts, and not within a longer word.
 */
function containsReference(narration: string, reference: string): boolean {
  const letters = reference.replace(/[^a-z0-9]/gi, '');
  if (letters.length < REFERENCE_MIN || !/[a-z]/i.test(letters) || !/[0-9]/.test(letters)) return false;
  const spaced = [...letters].join('[^a-z0-9]*');
  return new RegExp(`(?<![a-z0-9])${spaced}(?![a-z0-9])`, 'i').test(narration);
}
