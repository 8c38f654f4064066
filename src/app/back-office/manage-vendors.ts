// Manages the bank accounts that buyers pay into (vendors). A vendor's account never changes: a new account is a new vendor.
// Each transaction keeps a copy of its vendor as it was at the acceptance.
import type { SettingRequest, VendorInput } from '../../domain/back-office/setting.ts';
import { accountDetail } from '../../domain/ledger/chart-of-accounts.ts';
import { STATEMENTS_SOURCE } from '../../domain/records/credit.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { StoredVendor } from '../../ports/back-office.ts';
import { checkAccountNumber, checkText, FieldErrors } from '../input/field-rules.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

const VENDOR_NAME_MAX = 140;
const PAYOUT_ACCOUNT_MESSAGE =
  'This is a payout account, which cannot also be a vendor account. Use an account that only receives money.';

export async function planNewVendor(
  deps: SettingDeps,
  given: VendorInput,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { mode } = given;
  const errors = new FieldErrors();
  const name = checkVendorName(errors, given.name);
  const number = checkAccountNumber(errors, 'number', given.number);
  const bank = deps.banks.resolve(given.bank);
  if (bank === undefined) errors.add('bank', 'bank_unknown', 'bank is not in the bank directory.');
  const refused = errors.refusal();
  if (refused !== undefined) return refuse('invalid', joinMessages(refused));
  const vendors = await deps.backOffice.listVendors();
  if (vendors.some((each) => isActiveWithAccount(each, { mode, number: number!, bankCode: bank!.code })))
    return refuse('not_possible', `An active ${mode} vendor with this account already exists.`);
  if (await deps.backOffice.isPayoutAccount(mode, accountDetail(bank!.code, number!)))
    return refuse('not_possible', PAYOUT_ACCOUNT_MESSAGE);
  const vendor: StoredVendor = {
    id: makeId('vnd', deps.clock.now(), deps.entropy.bytes(ID_RANDOM_BYTES)),
    mode,
    name: name!,
    number: number!,
    bank: bank!.name,
    bankCode: bank!.code,
    active: true,
  };
  return ok({ mode, write: { setting: 'vendor_added', vendor } });
}

export async function planVendorChange(
  { backOffice }: SettingDeps,
  request: Extract<
    SettingRequest,
    { readonly setting: 'vendor_renamed' | 'vendor_enabled' | 'vendor_disabled' }
  >,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { vendorId, setting } = request;
  const vendors = await backOffice.listVendors();
  const vendor = vendors.find(({ id }) => id === vendorId);
  if (vendor === undefined) return refuse('not_found', `There is no vendor ${vendorId}.`);
  const { mode } = vendor;
  if (setting !== 'vendor_renamed') {
    const active = setting === 'vendor_enabled';
    if (active && vendors.some((each) => each.id !== vendorId && isActiveWithAccount(each, vendor)))
      return refuse('not_possible', 'Another active vendor has this account.');
    if (active && (await backOffice.isPayoutAccount(mode, accountDetail(vendor.bankCode, vendor.number))))
      return refuse('not_possible', PAYOUT_ACCOUNT_MESSAGE);
    return ok({ mode, write: { setting, vendorId, change: { active } } });
  }
  const errors = new FieldErrors();
  const name = checkVendorName(errors, request.name);
  const refused = errors.refusal();
  if (refused !== undefined) return refuse('invalid', joinMessages(refused));
  return ok({ mode, write: { setting, vendorId, change: { name: name! } } });
}

/**
 * Exactly one source creates the credits of a bank account. A new source applies from the next line on. If the service already
 * knows the transfer of a line, it links the line to that transfer.
 */
export async function planVendorSource(
  { backOffice, railDesk }: SettingDeps,
  { vendorId, source }: Extract<SettingRequest, { readonly setting: 'vendor_source_set' }>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const vendor = (await backOffice.listVendors()).find(({ id }) => id === vendorId);
  if (vendor === undefined) return refuse('not_found', `There is no vendor ${vendorId}.`);
  const { mode, bankCode, number, creditSource } = vendor;
  const known = await listCreditSources(railDesk, mode);
  if (!known.includes(source))
    return refuse('invalid', `The credit source must be one of ${known.join(', ')}.`);
  if (creditSource === source)
    return refuse('not_possible', `${source} is already the credit source of this account.`);
  const account = accountDetail(bankCode, number);
  return ok({ mode, write: { setting: 'vendor_source_set', vendorId, mode, account, source } });
}

export async function listCreditSources(
  railDesk: Pick<SettingDeps['railDesk'], 'list'>,
  mode: Mode,
): Promise<readonly string[]> {
  const rails = (await railDesk.list()).filter((each) => each.mode === mode);
  return [STATEMENTS_SOURCE, ...rails.map(({ rail }) => rail)];
}

function checkVendorName(errors: FieldErrors, text: string): string | undefined {
  return checkText(errors, 'name', text, VENDOR_NAME_MAX)?.normalize('NFC');
}

function joinMessages({ errors }: { readonly errors: readonly { readonly message: string }[] }): string {
  return errors.map(({ message }) => message).join(' ');
}

type AccountOfVendor = Pick<StoredVendor, 'mode' | 'number' | 'bankCode'>;

function isActiveWithAccount(each: StoredVendor, { mode, number, bankCode }: AccountOfVendor): boolean {
  return each.active && each.mode === mode && each.number === number && each.bankCode === bankCode;
}
