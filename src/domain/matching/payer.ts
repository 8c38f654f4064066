// Compares the payer's number, name, bank and narration, as banks report them, with those of a claim. Only a full account
// number identifies a payer: businesses share vendors, and many account numbers end with the same digits.
import type { ClaimFacts } from './facts.ts';
import type { NameFlag } from './inspect-name.ts';
import { BLANK_TEXT, compareNames, type ParsedName, parseName } from './name-match.ts';

export type AccountComparison = 'equal' | 'suffix' | 'different' | 'unknown';

const FULL_NUMBER = /^[0-9]{10}$/;
const MASKED_NUMBER = /^([0-9]*)[*x#•.]+([0-9]*)$/i;
const SHORTENED_NUMBER = /^[0-9]{1,9}$/;
const SUFFIX_MIN = 3;

export function compareAccounts(payerAccount: string | null, accountNumber: string): AccountComparison {
  const text = (payerAccount ?? '').replace(/[\s-]/g, '');
  // Some banks fill the field of the account number with zeros when they do not know the number.
  if (/^0*$/.test(text)) return 'unknown';
  if (FULL_NUMBER.test(text)) return text === accountNumber ? 'equal' : 'different';
  // The number has only digits, but fewer than ten. It is a suffix, or the bank left out its leading zeros.
  const [, head = '', tail = ''] = SHORTENED_NUMBER.test(text)
    ? [text, '', text]
    : (MASKED_NUMBER.exec(text) ?? []);
  if (!accountNumber.startsWith(head) || !accountNumber.endsWith(tail)) return 'different';
  return tail.length >= SUFFIX_MIN ? 'suffix' : 'unknown';
}

/** Whether the bank gave all ten digits. Only then does a different number prove a different account. */
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

export function comparePayerName(
  payer: ParsedName,
  claim: Pick<ClaimFacts, 'accountName' | 'flags'>,
): PayerNameComparison {
  // The claim's name is stored without hidden characters. Only the flags show that the original name had hidden characters.
  if (claim.flags.some((flag) => LOOK_ALIKE_FLAGS.some((known) => known === flag))) return 'suspicious';
  const claimed = parseName(claim.accountName);
  if (payer.isSuspicious || claimed.isSuspicious) return 'suspicious';
  if (!payer.isGiven || !claimed.isGiven) return 'not_given';
  return compareNames(payer, claimed).verdict;
}

/**
 * Whether the narration shows the claim's account number. Banks write the payer's number there, but a payer can write any number,
 * so this is a weaker sign than a number from the bank.
 */
export function isAccountNarrated(narration: string | null, accountNumber: string): boolean {
  return narration !== null && isFullPayerAccount(accountNumber) && findNumbers(narration).has(accountNumber);
}

function findNumbers(narration: string): ReadonlySet<string> {
  return new Set((narration.match(/\d+/g) ?? []).filter((digits) => FULL_NUMBER.test(digits)));
}

const REFERENCE_MIN = 6;

export function isClaimNamedIn(narration: string | null, claim: ClaimFacts): boolean {
  if (narration === null) return false;
  return containsReference(narration, claim.transactionId) || containsReference(narration, claim.reference);
}

/**
 * The business chooses the reference. A reference such as TRANSFER, a date or the payer's number could be in any narration. A
 * reference counts only if it mixes letters and digits, and only if it is not inside a longer word.
 */
function containsReference(narration: string, reference: string): boolean {
  const letters = reference.replace(/[^a-z0-9]/gi, '');
  if (letters.length < REFERENCE_MIN || !/[a-z]/i.test(letters) || !/[0-9]/.test(letters)) return false;
  const spaced = [...letters].join('[^a-z0-9]*');
  return new RegExp(`(?<![a-z0-9])${spaced}(?![a-z0-9])`, 'i').test(narration);
}
