// Ends the set-up transactions of a network as soon as their outcome is known. The first process that learns the outcome posts
// the cost once, in the same commit. If a killed command left transactions open, the service or the next command ends them.
import { type NetworkCost, recordSetUpEnd } from '../../domain/movements/entries.ts';
import type { EndedSetUp, SignedSetUp } from '../../domain/records/movement.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { EnvelopeCost, SendStatus, SignedTransaction } from '../../ports/networks/network-payer.ts';
import type { SetUpRecords } from '../../ports/networks/set-up.ts';
import type { Store } from '../../ports/store/store.ts';

export interface SettleSetUpsDeps {
  readonly store: Pick<Store, 'commit'>;
  readonly setUps: SetUpRecords;
  readonly clock: Clock;
}

/**
 * Queries every open transaction separately. If two transactions have the same sequence number, at most one landed, and only
 * its cost is posted.
 */
export async function settleSetUps(
  deps: SettleSetUpsDeps & { readonly networks: Networks; readonly onError: (error: Error) => void },
): Promise<void> {
  for (const signed of await deps.setUps.open()) {
    const network = deps.networks.find(signed.mode, signed.network);
    if (network === undefined) continue;
    // If another wallet signed the transaction before the key was changed, this network connection does not query it.
    if (network.orderedBy !== null && network.orderedBy !== signed.source) continue;
    try {
      await settleSetUp(
        deps,
        signed,
        await network.ask({ versions: [toSignedTransaction(signed)], orderIds: [] }),
      );
    } catch (error) {
      deps.onError(error as Error);
    }
  }
}

/** Returns false if the transaction may still land in the network. */
export async function settleSetUp(
  { store, clock }: Pick<SettleSetUpsDeps, 'store' | 'clock'>,
  signed: SignedSetUp,
  status: SendStatus,
): Promise<boolean> {
  const end = endOf(status);
  if (end === undefined) return false;
  const [written] = await store.commit([
    recordSetUpEnd(signed, end.outcome, toNetworkCost(end.cost), clock.now()),
  ]);
  // If the commit is stale, another process has recorded the outcome.
  if (written?.kind === 'refused')
    throw new Error(
      `Could not record the outcome of ${signed.hash}: the database refused it (${written.constraint}).`,
    );
  return true;
}

export function toSignedTransaction({
  mode: _,
  network: __,
  what: ___,
  ...prepared
}: SignedSetUp): SignedTransaction {
  return prepared;
}

function endOf(
  status: SendStatus,
): { readonly outcome: EndedSetUp['outcome']; readonly cost: EnvelopeCost | null } | undefined {
  switch (status.kind) {
    case 'final':
    case 'failed':
      return { outcome: 'landed', cost: status.cost };
    case 'dead':
      return { outcome: 'dead', cost: status.cost ?? null };
    case 'held':
      // The cost is posted with the transaction that used the sequence number.
      return { outcome: 'replaced', cost: null };
    default:
      return undefined;
  }
}

/** The whole cost belongs to this transaction, because it shares no bytes with other payments. */
function toNetworkCost(cost: EnvelopeCost | null): NetworkCost | null {
  if (cost === null) return null;
  const sum = (amounts: EnvelopeCost['opened']) =>
    amounts.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const { asset, feeMinor, opened, closed = [] } = cost;
  return { asset, feeMinor, openedMinor: sum(opened), closedMinor: sum(closed) };
}
