// Adds and changes the bank accounts that buyers pay into. A vendor's account never changes in place: another account
// is another vendor, and transactions keep the snapshot they were accepted with.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { StoredVendor } from '../../ports/back-office.ts';
import { checkAccountNumber, checkText, FieldErrors } from '../intake/field-rules.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

const VENDOR_NAME_MAX = 140;

function checkName(errors: FieldErrors, text: string): string | undefined {
  return checkText(errors, 'name', text, VENDOR_NAME_MAX)?.normalize('NFC');
}

export async function addVendor(
  deps: BackOfficeDeps & { readonly banks: BankDirectory },
  given: { readonly mode: Mode; readonly name: string; readonly number: string; readonly bank: string },
): Promise<Result<StoredVendor, Refusal>> {
  const errors = new FieldErrors();
  const name = checkName(errors, given.name);
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

/** Renames a vendor, or turns it on or off. */
export async function changeVendor(
  deps: BackOfficeDeps,
  id: string,
  change: { readonly name?: string; readonly active?: boolean },
): Promise<Result<void, string>> {
  const errors = new FieldErrors();
  const name = change.name === undefined ? undefined : checkName(errors, change.name);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused.message);
  const outcome = await deps.backOffice.changeVendor(
    id,
    { ...change, ...(name !== undefined && { name }) },
    { actor: deps.actor, atMs: deps.clock.now() },
  );
  if (outcome === 'not_found') return fail(`There is no vendor ${id}.`);
  if (outcome === 'account_taken') return fail('Another active vendor has this account.');
  return ok(undefined);
}
