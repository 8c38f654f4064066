// In test mode, posts the funds that an operator added: naira for payouts and refunds, or tokens to send. This changes only the
// books. In live mode, two people post funds through app/review.
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import { ID_RANDOM_BYTES, idBody, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { NAIRA, parseDecimal, tokenAsset } from '../../domain/values/money.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { LedgerAudit } from '../../ports/ledger.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import { type Store, StoreUnavailable } from '../../ports/store/store.ts';

export interface FundLedgerDeps {
  readonly store: Store;
  readonly ledgerAudit: LedgerAudit;
  readonly networks: DescribedNetworks;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly actor: string;
}

export interface BookedFunding {
  readonly id: string;
  readonly mode: Mode;
  readonly asset: string;
  readonly amountMinor: bigint;
}

export async function fundLedger(
  deps: FundLedgerDeps,
  given: {
    readonly mode: Mode;
    readonly asset: string;
    readonly amount: string;
    /**
     * True if the tokens arrived at a place or time that the service does not observe. Then the service will not find them
     * again as a deposit.
     */
    readonly unseen?: boolean;
    /** For naira: the bank account from which payouts are made. If it is omitted, the account of the simulated bank is used. */
    readonly account?: string | undefined;
  },
): Promise<Result<BookedFunding, string>> {
  const { store, ledgerAudit, clock, entropy, actor } = deps;
  const { mode, asset } = given;
  const decimals = findDecimals(deps.networks, mode, asset);
  if (decimals === undefined)
    return fail(`${asset} is not an asset of ${mode} mode. It has: ${listAssetNames(deps, mode)}.`);
  if (given.unseen !== true && isWatchedAsset(deps.networks, mode, asset))
    return fail(
      `The service sees tokens that arrive in the treasury of ${asset}, so ledger fund would count them twice. Find them with ` +
        'reviews list and book them with reviews propose own-funds. Only if they arrived before the service read this network: ledger fund --unseen',
    );
  if (mode === 'live')
    return fail(
      asset === NAIRA
        ? 'Two people must book live naira, with the line of the bank statement: sliproad naira put-in'
        : 'Two people must book live tokens: one person proposes the booking with sliproad ledger fund, and another approves.',
    );
  const account = asset === NAIRA ? await findPayoutAccount(deps, mode, given.account) : null;
  if (account === undefined)
    return fail(`The books have no payout account ${given.account}. See: naira accounts`);
  const amountMinor = parseDecimal(given.amount, decimals);
  if (amountMinor === undefined) {
    return fail(
      `The amount must be more than zero and have at most ${decimals} decimals, such as 1500 or 1500.50.`,
    );
  }
  const atMs = clock.now();
  const id = `fund_${idBody(makeId('mov', atMs, entropy.bytes(ID_RANDOM_BYTES)))}`;
  const entry =
    asset === NAIRA
      ? entryOf('float_funded', {
          mode,
          subjectId: id,
          payoutAccount: account,
          amounts: { amount: amountMinor },
        })
      : entryOf('treasury_funded', { mode, subjectId: id, asset, amounts: { tokens: amountMinor } });
  // The audit entry is written before the ledger entry. So an audit entry without its ledger entry may exist, but never a
  // ledger entry without its audit entry.
  const detail = { id, mode, asset, amountMinor: amountMinor.toString() };
  await ledgerAudit.note('ledger_funded', detail, { actor, atMs });
  const outcome = await store.commit([{ atMs, entries: [entry] }]).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  });
  if (outcome === undefined) {
    return fail(`The database did not answer. To see whether the funding was recorded: ledger explain ${id}`);
  }
  const [first] = outcome;
  if (first?.kind === 'committed') return ok({ id, mode, asset, amountMinor });
  return fail(`The database refused ${id}: ${first?.kind === 'refused' ? first.constraint : 'stale'}.`);
}

/** Null means the account of the simulated bank. Undefined means that the books do not have the account. */
async function findPayoutAccount(
  { ledgerAudit }: FundLedgerDeps,
  mode: Mode,
  account: string | undefined,
): Promise<string | null | undefined> {
  if (account === undefined) return null;
  const key = ledgerKey(mode, NAIRA, 'bank_out', account);
  return (await ledgerAudit.balances()).some((each) => each.key === key) ? account : undefined;
}

function findDecimals(networks: DescribedNetworks, mode: Mode, asset: string): number | undefined {
  if (asset === NAIRA) return 2;
  return networks.enabled(mode).find((each) => tokenAsset(each.asset.code, each.name) === asset)?.asset
    .decimals;
}

/** True for real tokens, because the service detects every deposit of such tokens to their treasury. */
function isWatchedAsset(networks: DescribedNetworks, mode: Mode, asset: string): boolean {
  return networks
    .enabled(mode)
    .some(({ native, name, asset: token }) => native !== null && tokenAsset(token.code, name) === asset);
}

function listAssetNames({ networks }: FundLedgerDeps, mode: Mode): string {
  return [NAIRA, ...networks.enabled(mode).map((each) => tokenAsset(each.asset.code, each.name))].join(', ');
}
