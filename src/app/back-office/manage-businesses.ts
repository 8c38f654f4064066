// Registers businesses and their default wallets.
import { isLinkTag } from '../../domain/people/names.ts';
import type { Wallet } from '../../domain/records/transaction.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { NewBusiness } from '../../ports/back-office.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import { checkText, checkWallet, FieldErrors } from '../input/field-rules.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

const BUSINESS_NAME_MAX = 140;

export async function addBusiness(
  deps: BackOfficeDeps,
  given: { readonly name: string; readonly linkTag: string; readonly sandbox: boolean },
): Promise<Result<NewBusiness, Refusal>> {
  const errors = new FieldErrors();
  const name = checkText(errors, 'name', given.name, BUSINESS_NAME_MAX);
  if (!isLinkTag(given.linkTag)) {
    errors.add('link_tag', 'text_invalid', 'link_tag must be 3 to 40 characters of a-z, 0-9 and hyphen.');
  }
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  const now = deps.clock.now();
  const business: NewBusiness = {
    id: makeId('biz', now, deps.entropy.bytes(ID_RANDOM_BYTES)),
    name: name!,
    linkTag: given.linkTag,
    sandbox: given.sandbox,
  };
  const outcome = await deps.backOffice.addBusiness(business, { actor: deps.actor, atMs: now });
  if (outcome === 'added') return ok(business);
  return fail(
    fieldRefusal([{ field: 'link_tag', code: 'state_conflict', message: 'link_tag is already taken.' }]),
  );
}

export interface DefaultWalletRequest {
  readonly businessId: string;
  readonly mode: Mode;
  readonly network?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * Checks a default wallet and returns its address in the spelling of the network. Null means that the business wants no default
 * wallet.
 */
export async function checkDefaultWallet(
  deps: Pick<BackOfficeDeps, 'backOffice'> & { readonly networks: DescribedNetworks },
  given: DefaultWalletRequest,
): Promise<Result<Wallet | null, Refusal>> {
  const errors = new FieldErrors();
  const pair = { network: given.network, wallet_address: given.address };
  const wallet = checkWallet(errors, deps.networks, given.mode, pair);
  const businesses = await deps.backOffice.listBusinesses();
  if (!businesses.some((business) => business.id === given.businessId)) {
    errors.add('business', 'not_found', 'There is no such business.');
  }
  const refused = errors.refusal();
  return refused === undefined ? ok(wallet!) : fail(refused);
}

/**
 * Sets the default wallet when the business itself requests it. If the operator changes it instead, the change is a setting and
 * needs two people in live mode.
 */
export async function setDefaultWallet(
  deps: BackOfficeDeps & { readonly networks: DescribedNetworks },
  given: DefaultWalletRequest,
): Promise<Result<Wallet | null, Refusal>> {
  const checked = await checkDefaultWallet(deps, given);
  if (!checked.ok) return checked;
  const doing = { actor: deps.actor, atMs: deps.clock.now() };
  await deps.backOffice.setDefaultWallet(given.businessId, given.mode, checked.value, doing);
  return checked;
}
