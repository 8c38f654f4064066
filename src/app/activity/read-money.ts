// The money of one transaction as its business may see it: what was asked for, what it costs, what came and went, and the
// postings behind it. Balances of accounts, entries about the operator alone and credits that may be of others are not shown.
import { type LedgerEvent, partsOf } from '../../domain/ledger/ledger.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { CreditException } from '../../domain/records/exceptions.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { ExplainedEntry, LedgerAudit } from '../../ports/ledger.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import type { Reader } from '../input/caller.ts';
import { type DetailDeps, type Detailed, withDetails } from '../intake/read-details.ts';
import { readTransaction } from '../intake/read-transactions.ts';
import { ACCOUNT_WORDS, EVENT_WORDS } from './money-words.ts';

export interface MoneyDeps extends DetailDeps {
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

export interface Money extends Detailed {
  readonly entries: readonly ShownEntry[];
  /** The bank charges of its payouts and refunds, which the operator paid; they are not part of the fee. */
  readonly bankChargesMinor: bigint;
}

export async function readMoney(
  deps: MoneyDeps,
  reader: Reader,
  transactionId: string,
): Promise<Result<Money, Refusal>> {
  const found = await readTransaction(deps.store, reader, transactionId);
  if (!found.ok) return found;
  const [detailed] = await withDetails(deps, [found.value]);
  const { transaction } = detailed!;
  const own = await ownSubjects(deps, transaction);
  const entries = await deps.ledgerAudit.explain(transaction.id);
  const shown = entries.filter(({ subjectId }) => own.has(subjectId));
  return ok({
    ...detailed!,
    entries: shown.flatMap((entry) => shownEntry(deps.networks, transaction.mode, entry)),
    bankChargesMinor: chargedIn(shown),
  });
}

/** The bank charges of transfers. The part of a returned payout that a bank kept is not one of them. */
const CHARGES: ReadonlySet<LedgerEvent> = new Set<LedgerEvent>([
  ...(['bank_charged', 'vat_charged', 'stamp_duty_charged'] as const),
]);

function chargedIn(entries: readonly ExplainedEntry[]): bigint {
  const postings = entries.filter(({ event }) => CHARGES.has(event)).flatMap((entry) => entry.postings);
  return postings.reduce(
    (sum, { account, amountMinor }) => (partsOf(account).name === 'charges' ? sum + amountMinor : sum),
    0n,
  );
}

/** The transaction, and the credits and deposits that are surely its own. */
async function ownSubjects({ store }: MoneyDeps, { id }: Transaction): Promise<ReadonlySet<string>> {
  const [credits, deposits] = await Promise.all([store.creditsOf([id]), store.depositsOf([id])]);
  return new Set([
    id,
    ...credits.filter(isItsOwn).map((each) => each.id),
    ...deposits.map((each) => each.id),
  ]);
}

/** The reasons why an unmatched credit may be the payment of another business. */
const DOUBTFUL: ReadonlySet<CreditException | null> = new Set<CreditException>([
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

function isItsOwn({ state, exception }: BankCredit): boolean {
  return state === 'matched' || !DOUBTFUL.has(exception);
}

function shownEntry(networks: DescribedNetworks, mode: Mode, entry: ExplainedEntry): readonly ShownEntry[] {
  const { event, atMs, postings } = entry;
  const sentence = EVENT_WORDS[event];
  if (sentence === undefined) return [];
  return [
    { event, sentence, atMs, postings: postings.flatMap((each) => shownPosting(networks, mode, each)) },
  ];
}

function shownPosting(
  networks: DescribedNetworks,
  mode: Mode,
  { account, amountMinor }: ExplainedEntry['postings'][number],
): readonly ShownPosting[] {
  const { asset, name } = partsOf(account);
  const words = ACCOUNT_WORDS[name];
  const [code = '', network = null] = asset.split('@');
  const decimals = asset === NAIRA ? 2 : networks.find(mode, network ?? '')?.asset.decimals;
  // A token whose decimals are not known now (its network is not enabled) would be shown wrongly.
  if (words === undefined || decimals === undefined) return [];
  return [
    {
      ...{ account: words, decimals, asset: code, network },
      side: amountMinor < 0n ? 'credit' : 'debit',
      amountMinor: amountMinor < 0n ? -amountMinor : amountMinor,
    },
  ];
}
