// Starts the sends of paid buys: it checks for holds, reserves the tokens, signs, and stores the signed bytes in the same
// commit. Only then does it broadcast. A crash at any point leaves either nothing, or bytes that can be broadcast again. No
// network waits for another network.
import { ledgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import type { Change } from '../../../domain/records/change.ts';
import { type Movement, newMovement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { moveTransaction, postponeTransaction } from '../../../domain/records/transaction-moves.ts';
import { koboToToken, tokenAsset } from '../../../domain/values/money.ts';
import type { Payment } from '../../../ports/networks/network-payer.ts';
import { isAssetHalted, newId, type PickDeps, type SettlementDeps } from '../../engine/deps.ts';
import { networkLeaseMs } from '../../engine/leases.ts';
import { backOffMs, makeBatcher, runEach } from '../../engine/retries.ts';
import { checkHolds, type HoldCheck } from '../../settlement/check-holds.ts';
import { makeCommitStep, putOnHold } from '../commit-steps.ts';
import { type BroadcastSend, broadcastAll } from './broadcast.ts';
import type { NewSend } from './movement-drafts.ts';
import { signAndStorePayments } from './sign-payments.ts';

const RETRY_MS = 500;
const TRUSTLINE_MS = 1_000;

/**
 * `transactions` contains buys in the state `paid` or `awaiting_trustline` whose leases the caller holds. Returns the sends
 * with which the caller continues.
 */
export async function sendTokens(
  deps: SettlementDeps,
  transactions: readonly Transaction[],
): Promise<readonly BroadcastSend[]> {
  const checks = await checkHolds(deps, transactions);
  const treasuries = await readTreasuryBalances(deps, transactions);
  const commitOne = makeBatcher((changes: readonly Change[]) => deps.store.commit(changes));
  const commitStep = makeCommitStep(deps);
  const checked = transactions.map((transaction, index) => ({ transaction, check: checks[index]! }));
  const networks = Map.groupBy(checked, ({ transaction: { mode, wallet } }) => `${mode} ${wallet!.network}`);
  const { done, rethrow } = await runEach([...networks.values()], async (own) => {
    const { drafts, rethrow } = await draftSends(deps, own, treasuries, commitOne);
    const sent = await broadcastAll(deps, await signAndStorePayments(deps, drafts), commitStep);
    rethrow();
    return sent;
  });
  rethrow();
  return done.flatMap(({ outcome }) => outcome);
}

interface CheckedBuy {
  readonly transaction: Transaction;
  readonly check: HoldCheck;
}

/** The buys belong to one network. If a buy must wait or goes on hold, the service commits this at once. */
async function draftSends(
  deps: SettlementDeps,
  checked: readonly CheckedBuy[],
  treasuries: Map<string, bigint>,
  commitOne: (change: Change) => Promise<unknown>,
): Promise<{ readonly drafts: readonly NewSend[]; readonly rethrow: () => void }> {
  const { done, rethrow } = await runEach(checked, async ({ transaction, check }) => {
    const plan = await planSend(deps, transaction, check);
    if ('change' in plan) await commitOne(plan.change);
    return plan;
  });
  const drafts: NewSend[] = [];
  const low: Change[] = [];
  for (const { item, outcome: plan } of done) {
    if ('change' in plan) continue;
    if (failsToReserve(plan.movement, treasuries))
      low.push(postponeForTreasury(deps, item.transaction, plan.movement));
    else drafts.push(plan);
  }
  await Promise.all(low.map(commitOne));
  return { drafts, rethrow };
}

async function planSend(
  deps: SettlementDeps,
  transaction: Transaction,
  check: HoldCheck,
): Promise<NewSend | { readonly change: Change }> {
  const atMs = deps.clock.now();
  const { mode, wallet, tries } = transaction;
  const later = (firstMs: number) => ({
    change: {
      atMs,
      transactions: [postponeTransaction(transaction, atMs + backOffMs(deps, tries, firstMs))],
    },
  });
  if (check.hold !== null) return { change: putOnHold(transaction, check.hold, check.evidence, atMs) };
  const network = deps.networks.find(mode, wallet!.network);
  if (network === undefined) return later(RETRY_MS * 20);
  // The service checks forbidden wallets again here, because the list may be newer than the claim.
  const address = network.checkAddress(wallet!.address);
  if (!address.ok) return { change: putOnHold(transaction, 'wallet_forbidden', {}, atMs) };
  const asset = tokenAsset(network.asset.code, network.name);
  if (isAssetHalted(deps, { mode, asset })) return later(RETRY_MS * 4);
  const nairaMinor = transaction.amountMinor - transaction.feeMinor;
  const tokens = koboToToken(nairaMinor, network.asset.decimals);
  if (tokens === undefined || tokens === 0n)
    return { change: putOnHold(transaction, 'amount_not_representable', {}, atMs) };
  const movementId = newId(deps, 'mov');
  const payment: Payment = {
    orderId: movementId,
    about: transaction.id,
    to: address.address,
    amountMinor: tokens,
    alone: false,
    opensAccount: true,
    from: null,
  };
  const ready = await network.recipientReady(payment);
  if (ready === 'unknown') return later(RETRY_MS);
  if (ready === 'refused') return { change: putOnHold(transaction, 'wallet_forbidden', {}, atMs) };
  if (ready === 'waiting') return { change: waitForTrustline(deps, transaction, atMs) };
  const movement = newMovement({
    ...{ id: movementId, kind: 'send', mode, asset, nairaMinor, atMs },
    network: network.name,
    amountMinor: tokens,
    transactionId: transaction.id,
    destination: { address: address.address },
    state: 'sending',
    attempts: 1,
    dueAtMs: atMs + networkLeaseMs(deps),
  });
  const { usage } = check;
  const heldUntilMs = transaction.dueAtMs!;
  return { kind: 'new_send', network, movement, heldUntilMs, payment, transaction, usage };
}

/** The service reserves the tokens in the books in the order of the queue. It sends no amount in part. */
function failsToReserve({ mode, asset, amountMinor }: Movement, treasuries: Map<string, bigint>): boolean {
  const key = ledgerKey(mode, asset, 'treasury');
  const free = treasuries.get(key) ?? 0n;
  if (free < amountMinor) return true;
  treasuries.set(key, free - amountMinor);
  return false;
}

function postponeForTreasury(
  deps: PickDeps<'clock' | 'entropy' | 'onTrouble'>,
  transaction: Transaction,
  { mode, asset }: Movement,
): Change {
  deps.onTrouble('the treasury is too low', { mode, asset });
  const atMs = deps.clock.now();
  const dueAtMs = atMs + backOffMs(deps, transaction.tries, RETRY_MS * 4);
  return { atMs, transactions: [postponeTransaction(transaction, dueAtMs)] };
}

function waitForTrustline(deps: PickDeps<'entropy'>, transaction: Transaction, atMs: number): Change {
  const dueAtMs = atMs + backOffMs(deps, transaction.tries, TRUSTLINE_MS);
  if (transaction.state === 'awaiting_trustline')
    return { atMs, transactions: [postponeTransaction(transaction, dueAtMs)] };
  const facts = { actor: 'settlement', atMs, reason: 'trustline_missing' as const, dueAtMs };
  return { atMs, transactions: [moveTransaction(transaction, 'awaiting_trustline', facts)] };
}

async function readTreasuryBalances(
  deps: PickDeps<'networks' | 'store'>,
  transactions: readonly Transaction[],
) {
  const keys = transactions.flatMap(({ mode, wallet }) => {
    const network = wallet === null ? undefined : deps.networks.find(mode, wallet.network);
    return network === undefined
      ? []
      : [ledgerKey(mode, tokenAsset(network.asset.code, network.name), 'treasury')];
  });
  return new Map(await deps.store.balances([...new Set(keys)]));
}
