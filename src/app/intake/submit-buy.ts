// Accepts a buy: the customer claims to have paid a vendor, and the business gives the wallet that receives the tokens. The
// proof of payment is only a claim. Only a credit from the bank advances the transaction.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import {
  INITIAL_TRANSACTION_FIELDS,
  type Transaction,
  type VendorSnapshot,
  type Wallet,
} from '../../domain/records/transaction.ts';
import { ID_RANDOM_BYTES, idBody, makeId } from '../../domain/values/ids.ts';
import { canonicalAmount, koboToToken } from '../../domain/values/money.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Vendor } from '../../ports/catalogue.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import { type Caller, refuseOtherBusiness, scopeOf } from '../input/caller.ts';
import * as rules from '../input/field-rules.ts';
import { type AcceptedTransaction, hashFields } from './accept-transaction.ts';
import {
  boundsForQuote,
  checkQuoteTerms,
  type QuoteTerms,
  quotedOrCurrentFee,
  readQuoteTerms,
} from './quote-terms.ts';
import {
  acceptDraft,
  accountFlags,
  checkRailEnabled,
  computeExpiresAtMs,
  quoteHashFields,
  type RefusedSubmissionDraft,
  type Submission,
  type SubmissionDeps,
  type SubmissionDraft,
  type SubmissionDraftDeps,
} from './submission.ts';

export interface BuyRequest {
  readonly business_id: string;
  readonly link_tag: string;
  readonly type: string;
  readonly vendor_name: string;
  readonly vendor_bank: string;
  readonly vendor_number: string;
  readonly bank_name: string;
  readonly account_number: string;
  readonly account_name?: string;
  readonly network?: string;
  readonly wallet_address?: string;
  readonly reference?: string;
  readonly quote_id?: string;
}

/** The service checks the business in the request before it checks all other values. */
export async function submitBuy(
  deps: SubmissionDeps,
  submission: Submission<BuyRequest>,
): Promise<Result<AcceptedTransaction, Refusal>> {
  const { caller, body } = submission;
  const stranger = refuseOtherBusiness(caller, body);
  if (stranger !== undefined) return fail(stranger);
  const terms = await readQuoteTerms(deps.quotes, scopeOf(caller), body.quote_id);
  const drafted = draftBuy(deps, submission, terms);
  return acceptDraft(deps, submission, terms, drafted);
}

function draftBuy(
  deps: SubmissionDraftDeps,
  { caller, body, amountText, scenario }: Submission<BuyRequest>,
  terms: QuoteTerms,
): Result<SubmissionDraft, RefusedSubmissionDraft> {
  const errors = new rules.FieldErrors();
  const { mode } = scopeOf(caller);
  const now = deps.clock.now();
  checkRailEnabled(errors, deps.rails, mode, 'Buying');
  if (body.type !== 'buy_ramp') errors.add('type', 'type_invalid', 'type must be buy_ramp.');
  const amountMinor = rules.checkAmount(errors, amountText, boundsForQuote(terms, deps.bounds));
  const feeMinor = quotedOrCurrentFee(terms, errors, caller, 'buy', amountMinor, now);
  const vendor = checkVendor(errors, deps.banks, caller.catalogue.vendors[mode], body);
  const bankName = rules.checkBankName(errors, 'bank_name', body.bank_name);
  const accountNumber = rules.checkAccountNumber(errors, 'account_number', body.account_number);
  const accountName =
    body.account_name === undefined ? null : rules.checkAccountName(errors, body.account_name);
  const given = rules.checkWallet(errors, deps.networks, mode, body);
  const reference = body.reference === undefined ? null : rules.checkReference(errors, body.reference);
  const wallet = given ?? caller.key.business.defaultWallets[mode] ?? null;
  const network = given === undefined ? undefined : (wallet?.network ?? null);
  checkQuoteTerms(errors, terms, { type: 'buy', amountMinor, network });
  if (amountMinor !== undefined && feeMinor !== undefined) {
    checkExactToken(errors, deps.networks, mode, wallet, amountMinor - feeMinor);
  }

  const bank = bankName === undefined ? undefined : deps.banks.resolve(bankName);
  const bodyHash = hashFields([
    body.type,
    amountMinor?.toString() ?? canonicalAmount(amountText),
    ...vendorFields(deps.banks, vendor, body),
    bank?.code ?? body.bank_name.trim().toLowerCase(),
    body.account_number,
    accountName?.display ?? body.account_name ?? null,
    given?.network ?? rules.normaliseNetworkName(deps.networks, body.network),
    given?.address ?? body.wallet_address ?? null,
    body.reference ?? null,
    ...quoteHashFields(terms),
  ]);
  const refusal = errors.refusal() ?? deps.claimLimit.refuse(caller.key.business.id, mode);
  if (refusal !== undefined) return fail({ refusal, bodyHash });

  const expiresAtMs = computeExpiresAtMs(deps, scenario, 'buy', now);
  const id = makeId('txn', now, deps.entropy.bytes(ID_RANDOM_BYTES));
  const transaction: Transaction = {
    id,
    businessId: caller.key.business.id,
    mode,
    type: 'buy',
    reference: reference ?? `ref_${idBody(id)}`,
    linkTag: caller.key.business.linkTag,
    state: wallet === null ? 'awaiting_wallet' : 'awaiting_payment',
    amountMinor: amountMinor!,
    feeMinor: feeMinor!,
    accountNumber: accountNumber!,
    accountName: accountName?.display ?? null,
    bankName: bankName!,
    bankCode: bank?.code ?? null,
    flags: accountFlags(accountName?.flags ?? [], bank, accountNumber!),
    vendor: snapshotOf(vendor!),
    wallet,
    deposits: [],
    quoteId: terms.quoteId,
    ...INITIAL_TRANSACTION_FIELDS,
    createdAtMs: now,
    updatedAtMs: now,
    ...{ expiresAtMs, dueAtMs: expiresAtMs },
  };
  return ok({ transaction, bodyHash });
}

/** All three vendor fields must match one active vendor of the key's mode. Banks are compared through their aliases. */
function checkVendor(
  errors: rules.FieldErrors,
  banks: BankDirectory,
  vendors: readonly Vendor[],
  body: BuyRequest,
): Vendor | undefined {
  const name = body.vendor_name.trim().normalize('NFC');
  const { vendor_bank: bank } = body;
  const vendor = vendors.find(
    (each) =>
      each.number === body.vendor_number &&
      each.name === name &&
      (each.bank === bank || (rules.isPlainText(bank) && each.bankCode === banks.resolve(bank)?.code)),
  );
  if (vendor === undefined) {
    return errors.add(
      'vendor_number',
      'vendor_unknown',
      'vendor_name, vendor_number and vendor_bank must be those of one vendor in your vendor list: GET /transactions/v1/vendors.',
    );
  }
  return vendor;
}

function snapshotOf({ id, name, number, bank }: Vendor): VendorSnapshot {
  return { vendorId: id, name, number, bank };
}

/** Returns the vendor of the request in one spelling, even if the vendor is no longer active. */
function vendorFields(banks: BankDirectory, vendor: Vendor | undefined, body: BuyRequest): string[] {
  if (vendor !== undefined) return [vendor.number, vendor.name, vendor.bankCode];
  const { vendor_number: number, vendor_name: name, vendor_bank: bank } = body;
  return [number, name.trim().normalize('NFC'), banks.resolve(bank)?.code ?? bank];
}

/**
 * The same token can have different decimals on different networks. The service refuses an amount if it cannot send the amount
 * less the fee exactly.
 */
function checkExactToken(
  errors: rules.FieldErrors,
  networks: DescribedNetworks,
  mode: Caller['key']['mode'],
  wallet: Wallet | null,
  netMinor: bigint,
): void {
  const network = wallet === null ? undefined : networks.find(mode, wallet.network);
  if (network !== undefined && koboToToken(netMinor, network.asset.decimals) === undefined) {
    errors.add(
      'amount',
      'amount_not_representable',
      `amount cannot be sent exactly on ${network.name}: its token has only ${network.asset.decimals} decimals. Use fewer decimals.`,
    );
  }
}
