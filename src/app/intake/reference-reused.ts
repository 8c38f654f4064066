// Refuses a reference that already belongs to another request. The refusal says which transaction has the reference and which
// fields differ. Both transactions belong to the same business and mode, so it shows no data of another business.
import type { Transaction } from '../../domain/records/transaction.ts';
import { isErased } from '../../domain/values/erased.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';

export function referenceReused(stored: Transaction, given: Transaction): Refusal {
  const { id, reference } = stored;
  return refusal(
    'reference_reused',
    `reference ${reference} already belongs to ${id} with ${describeDifference(stored, given)}. ` +
      'Use a new reference, or repeat the original body.',
  );
}

function describeDifference(stored: Transaction, given: Transaction): string {
  if (isErased(stored.accountNumber))
    return 'a request body that has since been erased and cannot be compared';
  const fields = differingFields(stored, given);
  if (fields.length === 0) return 'a different body';
  const last = fields.at(-1)!;
  return fields.length === 1 ? `another ${last}` : `another ${fields.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * A wallet can also be set later, by a separate call or as the default of the business. So the wallets are compared only if all
 * other fields are equal, because then the wallet must be the difference.
 */
function differingFields(stored: Transaction, given: Transaction): readonly string[] {
  if (stored.type !== given.type) return ['type'];
  const fields: string[] = [];
  if (stored.quoteId !== given.quoteId) fields.push('quote_id');
  if (stored.amountMinor !== given.amountMinor) fields.push('amount');
  if (vendorOf(stored) !== vendorOf(given)) fields.push('vendor');
  if (bankOf(stored) !== bankOf(given)) fields.push('bank_name');
  if (stored.accountNumber !== given.accountNumber) fields.push('account_number');
  if (stored.accountName !== given.accountName) fields.push('account_name');
  if (fields.length > 0) return fields;
  if (stored.wallet?.network !== given.wallet?.network) fields.push('network');
  if (stored.wallet?.address !== given.wallet?.address) fields.push('wallet_address');
  return fields;
}

function vendorOf({ vendor }: Transaction): string | undefined {
  return vendor?.vendorId;
}

/** Returns the bank in the same form as in the hash of the body, because one bank has several spellings. */
function bankOf({ bankCode, bankName }: Transaction): string {
  return bankCode ?? bankName.toLowerCase();
}
