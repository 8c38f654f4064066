// Accepts a sell. The customer sends tokens to a deposit target that belongs only to this transaction. Once the deposit is
// final, the service pays naira to the given bank account.
import type { Bank, BankDirectory } from '../../domain/catalogue/banks.ts';
import {
  type DepositInstruction,
  INITIAL_TRANSACTION_FIELDS,
  type Transaction,
  type Wallet,
} from '../../domain/records/transaction.ts';
import { ID_RANDOM_BYTES, idBody, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { canonicalAmount, koboToToken } from '../../domain/values/money.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Network, Networks } from '../../ports/networks/network.ts';
import { refuseOtherBusiness, scopeOf } from '../input/caller.ts';
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

export interface SellRequest {
  readonly business_id: string;
  readonly link_tag: string;
  readonly type: string;
  readonly account_name: string;
  readonly account_number: string;
  readonly bank_name: string;
  readonly network?: string;
  readonly wallet_address?: string;
  readonly reference?: string;
  readonly quote_id?: string;
}

/** The service checks the business in the request before it checks all other values. */
export async function submitSell(
  deps: SubmissionDeps,
  submission: Submission<SellRequest>,
): Promise<Result<AcceptedTransaction, Refusal>> {
  const { caller, body } = submission;
  const stranger = refuseOtherBusiness(caller, body);
  if (stranger !== undefined) return fail(stranger);
  const terms = await readQuoteTerms(deps.quotes, scopeOf(caller), body.quote_id);
  const drafted = draftSell(deps, submission, terms);
  return acceptDraft(deps, submission, terms, drafted);
}

function draftSell(
  deps: SubmissionDraftDeps,
  { caller, body, amountText, scenario }: Submission<SellRequest>,
  terms: QuoteTerms,
): Result<SubmissionDraft, RefusedSubmissionDraft> {
  const errors = new rules.FieldErrors();
  const { mode } = scopeOf(caller);
  const now = deps.clock.now();
  checkRailEnabled(errors, deps.rails, mode, 'Selling');
  if (body.type !== 'sell_ramp') errors.add('type', 'type_invalid', 'type must be sell_ramp.');
  const amountMinor = rules.checkAmount(errors, amountText, boundsForQuote(terms, deps.bounds));
  const feeMinor = quotedOrCurrentFee(terms, errors, caller, 'sell', amountMinor, now);
  const accountName = rules.checkAccountName(errors, body.account_name);
  const accountNumber = rules.checkAccountNumber(errors, 'account_number', body.account_number);
  const bankName = rules.checkBankName(errors, 'bank_name', body.bank_name);
  const bank = bankName === undefined ? undefined : checkPayableBank(errors, deps.banks, bankName);
  const wallet = rules.checkWallet(errors, deps.networks, mode, body);
  const reference = body.reference === undefined ? null : rules.checkReference(errors, body.reference);
  const network = wallet === undefined ? undefined : (wallet?.network ?? null);
  checkQuoteTerms(errors, terms, { type: 'sell', amountMinor, network });
  const networks =
    wallet === undefined || amountMinor === undefined
      ? []
      : chooseDepositNetworks(errors, deps.networks, mode, wallet, amountMinor);

  const bodyHash = hashFields([
    body.type,
    amountMinor?.toString() ?? canonicalAmount(amountText),
    bank?.code ?? body.bank_name.trim().toLowerCase(),
    body.account_number,
    accountName?.display ?? body.account_name,
    wallet?.network ?? rules.normaliseNetworkName(deps.networks, body.network),
    wallet?.address ?? body.wallet_address ?? null,
    body.reference ?? null,
    ...quoteHashFields(terms),
  ]);
  const refusal = errors.refusal();
  if (refusal !== undefined) return fail({ refusal, bodyHash });

  const id = makeId('txn', now, deps.entropy.bytes(ID_RANDOM_BYTES));
  const expiresAtMs = computeExpiresAtMs(deps, scenario, 'sell', now);
  const transaction: Transaction = {
    id,
    businessId: caller.key.business.id,
    mode,
    type: 'sell',
    reference: reference ?? `ref_${idBody(id)}`,
    linkTag: caller.key.business.linkTag,
    state: 'awaiting_deposit',
    amountMinor: amountMinor!,
    feeMinor: feeMinor!,
    accountNumber: accountNumber!,
    accountName: accountName!.display,
    bankName: bankName!,
    bankCode: bank!.code,
    flags: accountFlags(accountName!.flags, bank, accountNumber!),
    vendor: null,
    wallet: wallet!,
    deposits: networks.map((network) => makeDepositInstruction(network, id, amountMinor!, expiresAtMs)),
    quoteId: terms.quoteId,
    ...INITIAL_TRANSACTION_FIELDS,
    createdAtMs: now,
    updatedAtMs: now,
    expiresAtMs,
    dueAtMs: expiresAtMs,
  };
  return ok({ transaction, bodyHash });
}

function checkPayableBank(errors: rules.FieldErrors, banks: BankDirectory, name: string): Bank | undefined {
  const bank = banks.resolve(name);
  if (bank === undefined) {
    return errors.add(
      'bank_name',
      'bank_unknown',
      'bank_name is not in the bank directory. Use the full name of the bank.',
    );
  }
  if (!bank.payable) {
    return errors.add(
      'bank_name',
      'bank_not_payable',
      `bank_name: ${bank.name} cannot receive payouts. Use an account at another bank.`,
    );
  }
  return bank;
}

/** Returns the networks for the deposit: the requested network, or every enabled network on which the amount is exact. */
function chooseDepositNetworks(
  errors: rules.FieldErrors,
  networks: Networks,
  mode: Mode,
  wallet: Wallet | null,
  amountMinor: bigint,
): readonly Network[] {
  const candidates =
    wallet === null
      ? networks.enabled(mode)
      : [networks.find(mode, wallet.network)].filter((n) => n !== undefined);
  if (candidates.length === 0) {
    errors.add(
      'network',
      'network_not_enabled',
      `No network is enabled in ${mode} mode yet. Ask the operator.`,
    );
    return [];
  }
  const exact = candidates.filter(
    (network) => koboToToken(amountMinor, network.asset.decimals) !== undefined,
  );
  if (exact.length === 0) {
    errors.add(
      'amount',
      'amount_not_representable',
      'amount cannot be sent exactly: the token has too few decimals on the possible networks. Use fewer decimals.',
    );
  }
  return exact;
}

function makeDepositInstruction(
  network: Network,
  transactionId: string,
  amountMinor: bigint,
  expiresAtMs: number,
): DepositInstruction {
  const target = network.depositTarget(transactionId);
  return {
    network: network.name,
    address: target.address,
    memo: target.memo,
    memoType: target.memoType,
    asset: network.asset.code,
    decimals: network.asset.decimals,
    expectedToken: koboToToken(amountMinor, network.asset.decimals)!,
    confirmations: network.confirmations,
    expiresAtMs,
  };
}
