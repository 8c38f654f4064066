// Shows a business the money of one of its transactions: the requested amount, its cost, the incoming and outgoing amounts, and
// their postings. The business does not see account balances, entries that concern only the operator, or credits that may
// belong to others.
import { parseLedgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import type { LedgerEvent } from '../../domain/ledger/ledger.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { CreditException } from '../../domain/records/exceptions.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { ExplainedEntry, LedgerAudit } from '../../ports/ledger.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import type { BusinessReader } from '../input/caller.ts';
import { type DetailDeps, type DetailedTransaction, readWithDetails } from '../intake/read-details.ts';
import { readTransaction } from '../intake/read-transactions.ts';
import { LEDGER_ACCOUNT_LABELS, LEDGER_EVENT_SENTENCES } from './ledger-words.ts';

export interface TransactionMoneyDeps extends DetailDeps {
  readonly ledgerAudit: Pick<LedgerAudit, 'explain'>;
  readonly networks: DescribedNetworks;
}

export interface ShownPosting {
  readonly account: string;
  readonly side: 'debit' | 'credit';
  readonly amountMinor: bigint;
  readonly decimals: number;
  /** `NGN`, or the code of the token. */
  readonly asset: string;
  readonly network: string | null;
}

export interface ShownEntry {
  readonly event: LedgerEvent;
  readonly sentence: string;
  readonly atMs: number;
  readonly postings: readonly ShownPosting[];
}

export interface TransactionMoney extends DetailedTransaction {
  readonly entries: readonly ShownEntry[];
  /**
   * The bank charges of the transaction's payouts and refunds. The operator paid them, and the fee of the business does not
   * include them.
   */
  readonly bankChargesMinor: bigint;
}

export async function readTransactionMoney(
  deps: TransactionMoneyDeps,
  reader: BusinessReader,
  transactionId: string,
): Promise<Result<TransactionMoney, Refusal>> {
  const found = await readTransaction(deps.store, reader, transactionId);
  if (!found.ok) return found;
  const [detailed] = await readWithDetails(deps, [found.value]);
  const { transaction } = detailed!;
  const own = await listSubjectIds(deps, transaction);
  const entries = await deps.ledgerAudit.explain(transaction.id);
  const shown = entries.filter(({ subjectId }) => own.has(subjectId));
  return ok({
    ...detailed!,
    entries: shown.flatMap((entry) => showEntry(deps.networks, transaction.mode, entry)),
    bankChargesMinor: sumBankCharges(shown),
  });
}

/**
 * The ledger events of bank charges for transfers. If a payout was returned and a bank kept a part of it, that part is not a
 * bank charge.
 */
const BANK_CHARGE_EVENTS: ReadonlySet<LedgerEvent> = new Set<LedgerEvent>([
  ...(['bank_charged', 'vat_charged', 'stamp_duty_charged'] as const),
]);

function sumBankCharges(entries: readonly ExplainedEntry[]): bigint {
  const postings = entries
    .filter(({ event }) => BANK_CHARGE_EVENTS.has(event))
    .flatMap((entry) => entry.postings);
  return postings.reduce(
    (sum, { account, amountMinor }) => (parseLedgerKey(account).name === 'charges' ? sum + amountMinor : sum),
    0n,
  );
}

/** Returns the ids of the transaction, and of the credits and deposits that certainly belong to it. */
async function listSubjectIds(
  { store }: TransactionMoneyDeps,
  { id }: Transaction,
): Promise<ReadonlySet<string>> {
  const [credits, deposits] = await Promise.all([store.creditsOf([id]), store.depositsOf([id])]);
  return new Set([
    id,
    ...credits.filter(isSurelyForTransaction).map((each) => each.id),
    ...deposits.map((each) => each.id),
  ]);
}

/** The reasons for which an unmatched credit may be the payment of another business. */
const DOUBTFUL_EXCEPTIONS: ReadonlySet<CreditException | null> = new Set<CreditException>([
  ...([
    'no_claim',
    'ambiguous',
    'other_account',
    'name_mismatch',
    'suspicious_name',
    'payer_unclear',
    'duplicate_claim',
  ] as const),
]);

function isSurelyForTransaction({ state, exception }: BankCredit): boolean {
  return state === 'matched' || !DOUBTFUL_EXCEPTIONS.has(exception);
}

function showEntry(networks: DescribedNetworks, mode: Mode, entry: ExplainedEntry): readonly ShownEntry[] {
  const { event, atMs, postings } = entry;
  const sentence = LEDGER_EVENT_SENTENCES[event];
  if (sentence === undefined) return [];
  return [{ event, sentence, atMs, postings: postings.flatMap((each) => showPosting(networks, mode, each)) }];
}

function showPosting(
  networks: DescribedNetworks,
  mode: Mode,
  { account, amountMinor }: ExplainedEntry['postings'][number],
): readonly ShownPosting[] {
  const { asset, name } = parseLedgerKey(account);
  const words = LEDGER_ACCOUNT_LABELS[name];
  const [code = '', network = null] = asset.split('@');
  const decimals = asset === NAIRA ? 2 : networks.find(mode, network ?? '')?.asset.decimals;
  // The decimals of a token are unknown if its network is not enabled. The result omits the postings of such a token, because
  // their amounts would be wrong.
  if (words === undefined || decimals === undefined) return [];
  return [
    {
      ...{ account: words, decimals, asset: code, network },
      side: amountMinor < 0n ? 'credit' : 'debit',
      amountMinor: amountMinor < 0n ? -amountMinor : amountMinor,
    },
  ];
}
