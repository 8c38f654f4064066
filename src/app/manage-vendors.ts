// Adds and changes the bank accounts that buyers pay into. A vendor's account never changes in place: another account
// is another vendor, and transactions keep the snapshot they were accepted with.
import type { BankDirectory } from '../domain/banks.ts';
import { ID_RANDOM_BYTES, makeId } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import { fieldRefusal, type Refusal } from '../domain/refusals.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { StoredVendor } from '../ports/back-office.ts';
import { checkAccountNumber, checkText, FieldErrors } from './field-rules.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

const VENDOR_NAME_MAX = 140;

export async function addVendor(
  deps: BackOfficeDeps & { readonly banks: BankDirectory },
  given: { readonly mode: Mode; readonly name: string; readonly number: string; readonly bank: string },
): Promise<Result<StoredVendor, Refusal>> {
  const errors = new FieldErrors();
  const name = checkText(errors, 'name', given.name, VENDOR_NAME_MAX)?.normalize('NFC');
  const number = checkAccountNumber(errors, 'number', given.number);
  const bank = deps.banks.resolve(given.bank);
  if (bank === undefined) errors.add('bank', 'bank_unknown', 'bank is not in the bank directory.');
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  const now = deps.clock.now();
  const vendor: StoredVendor = {
    id: makeId('vnd', now, deps.entropy.bytes(ID_RANDOM_BYTES)),
    mode: given.mode,
    name: name!,
    number: number!,
    bank: bank!.name,
    bankCode: bank!.code,
    active: true,
  };
  const outcome = await deps.backOffice.addVendor(vendor, { actor: deps.actor, atMs: now });
  if (outcome === 'added') return ok(vendor);
  const message = `An active ${given.mode} vendor with this account exists already.`;
  return fail(fieldRefusal([{ field: 'number', code: 'state_conflict', message }]));
}
