// Signs payments and stores the signed bytes before the broadcast. One commit stores all orders in the same bytes, or none of
// them. If the payments of a wallet have an order, only the process that holds the wallet's turn signs. The database refuses a
// used sequence number.
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import { mergeChanges } from '../../../domain/records/change.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type {
  Obstacle,
  SignedTransaction,
  SigningResult,
  WalletTurn,
} from '../../../ports/networks/network-payer.ts';
import type { RefusedCommit } from '../../../ports/store/commit.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { PickDeps, SettlementDeps } from '../../engine/deps.ts';
import { hasTimeFor, networkLeaseMs } from '../../engine/leases.ts';
import { NO_WALLET_TURN } from '../../engine/wallet-locks.ts';
import { makeSendAttempt } from './attempts.ts';
import {
  buildAttemptChange,
  type MovementDraft,
  type MovementDraftDeps,
  postponeDraft,
  refuseDraft,
} from './movement-drafts.ts';

/**
 * The drafts belong to one network. Returns the stored attempts that the caller must broadcast now. A draft that cannot be
 * signed does not block the others.
 */
export async function signAndStorePayments(
  deps: SettlementDeps,
  drafts: readonly MovementDraft[],
): Promise<readonly LiveAttempt[]> {
  if (drafts.length === 0) return [];
  try {
    return await signGroup(deps, drafts);
  } catch (error) {
    if (drafts.length === 1 || error instanceof StoreUnavailable) throw error;
    const stored: LiveAttempt[] = [];
    for (const draft of drafts) {
      try {
        stored.push(...(await signGroup(deps, [markAlone(draft)])));
      } catch (own) {
        const { message } = own as Error;
        deps.onTrouble('a payment could not be signed', { movement: draft.movement.id, message });
      }
    }
    return stored;
  }
}

async function signGroup(
  deps: SettlementDeps,
  drafts: readonly MovementDraft[],
): Promise<readonly LiveAttempt[]> {
  const [first] = drafts as readonly [MovementDraft];
  const work = async () => signInTurn(deps, drafts, await takeSigningTurn(deps, first));
  if (first.network.orderedBy === null) return work();
  return deps.turns.take(`${first.movement.mode} ${first.network.name}`, work);
}

/** Returns the state of the wallet that the next signature needs, or undefined while another process holds the turn. */
async function takeSigningTurn(
  deps: SettlementDeps,
  { network, movement: { mode } }: MovementDraft,
): Promise<WalletTurn | undefined> {
  const { store, clock, holder } = deps;
  const { name, orderedBy, native } = network;
  if (orderedBy === null) return native === null ? NO_WALLET_TURN : store.turnOf(mode, name, '');
  const hold = await store.holdFeed(signerTurnName(mode, name), holder, clock.now(), networkLeaseMs(deps));
  return hold && store.turnOf(mode, name, orderedBy);
}

/** The process that holds this turn may sign for the wallet of the network. */
export function signerTurnName(mode: Mode, network: string): string {
  return `signer ${mode} ${network}`;
}

async function signInTurn(
  deps: SettlementDeps,
  given: readonly MovementDraft[],
  turn: WalletTurn | undefined,
): Promise<readonly LiveAttempt[]> {
  // The turn may have started so late that the lease has ended.
  const drafts = given.filter(({ heldUntilMs }) => hasTimeFor(deps, heldUntilMs));
  if (drafts.length === 0) return [];
  const byOrder = new Map(drafts.map((draft) => [draft.payment.orderId, draft]));
  const signed =
    turn === undefined
      ? postponeAll(drafts, 'turn_taken', 'another process is using this wallet')
      : await signUnlessStopped(deps, drafts, turn);
  reportObstacles(deps, drafts[0]!, signed.waiting);
  const waits = signed.waiting.map(({ orderId, obstacle }) =>
    postponeDraft(deps, byOrder.get(orderId)!, obstacle),
  );
  const units = signed.envelopes.map(({ orderIds, ...prepared }) =>
    makeUnit(
      deps,
      orderIds.map((id) => byOrder.get(id)!),
      prepared,
    ),
  );
  if (waits.length > 0) await deps.store.commit(waits);
  const { stored, again } = await storeUnits(deps, units, drafts[0]!.network.orderedBy !== null);
  if (again.length === 0) return stored;
  return [...stored, ...(await signInTurn(deps, again, await takeSigningTurn(deps, drafts[0]!)))];
}

type EnvelopeUnit = ReturnType<typeof makeUnit>;

/**
 * Only stored payments may be broadcast. If a wallet has sequence numbers, its payments are stored one after another. If one
 * payment is not stored, the next payment gets its number, and all later payments are signed again. A skipped number would
 * block the wallet forever.
 */
async function storeUnits(deps: SettlementDeps, units: readonly EnvelopeUnit[], ordered: boolean) {
  const stored: LiveAttempt[] = [];
  const again: MovementDraft[] = [];
  let gaps = 0;
  for (const group of ordered ? units.map((unit) => [unit]) : [units]) {
    // A payment before this one was not stored, so the sequence number of this payment is no longer the next one.
    if (ordered && gaps > 0) {
      again.push(...group.flatMap(({ drafts }) => drafts));
      continue;
    }
    const outcomes = await deps.store.commit(group.map(({ change }) => change));
    for (const [index, unit] of group.entries()) {
      const outcome = outcomes[index]!;
      if (outcome.kind === 'committed') {
        stored.push(...unit.starts);
        continue;
      }
      gaps++;
      // If one payment must not be stored, the other payments in the same bytes are not stored either. So the service tries
      // each of them alone.
      if (unit.drafts.length > 1) again.push(...unit.drafts.map(markAlone));
      else if (outcome.kind === 'refused') await commitRefusal(deps, unit.drafts[0]!, outcome);
    }
  }
  return { stored, again };
}

/** Every outflow of the treasury must be explained before the service signs more payments for this treasury. */
async function signUnlessStopped(
  deps: PickDeps<'guard'>,
  drafts: readonly MovementDraft[],
  turn: WalletTurn,
): Promise<SigningResult> {
  const [{ network, movement }] = drafts as readonly [MovementDraft];
  let stopped: string | null;
  try {
    stopped = await deps.guard.check(movement.mode, network);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return postponeAll(
      drafts,
      'network_unreachable',
      `the outflows of the treasury cannot be read: ${(error as Error).message}`,
    );
  }
  if (stopped !== null) return postponeAll(drafts, 'sends_stopped', stopped);
  return network.prepare(
    drafts.map(({ payment }) => payment),
    turn,
  );
}

function postponeAll(drafts: readonly MovementDraft[], obstacle: Obstacle, detail: string): SigningResult {
  return {
    envelopes: [],
    waiting: drafts.map(({ payment: { orderId } }) => ({ orderId, obstacle, detail })),
  };
}

function markAlone(draft: MovementDraft): MovementDraft {
  return { ...draft, payment: { ...draft.payment, alone: true } };
}

function makeUnit(deps: MovementDraftDeps, drafts: readonly MovementDraft[], prepared: SignedTransaction) {
  const orders = drafts.map(({ movement }) => movement.id);
  const stored = drafts.map((draft, index) =>
    buildAttemptChange(deps, draft, makeSendAttempt(draft.movement, prepared, { index, orders })),
  );
  return {
    drafts,
    change: mergeChanges(stored.map(({ change }) => change)),
    starts: stored.map(({ start }) => start),
  };
}

async function commitRefusal(
  deps: MovementDraftDeps & PickDeps<'store'>,
  draft: MovementDraft,
  refusal: RefusedCommit,
): Promise<void> {
  const change = refuseDraft(deps, draft, refusal);
  if (change !== null) await deps.store.commit([change]);
}

/**
 * Reports obstacles that only an operator can fix, once for all affected payments. A turn that another process holds is no such
 * obstacle.
 */
function reportObstacles(
  deps: PickDeps<'onTrouble'>,
  { movement }: MovementDraft,
  waiting: SigningResult['waiting'],
): void {
  const { mode, network } = movement;
  for (const [obstacle, all] of Map.groupBy(waiting, (each) => each.obstacle)) {
    if (obstacle === 'turn_taken') continue;
    const { detail } = all[0]!;
    deps.onTrouble(OBSTACLE_MESSAGES[obstacle], { mode, network, payments: all.length, detail });
  }
}

const OBSTACLE_MESSAGES: Readonly<Record<Exclude<Obstacle, 'turn_taken'>, string>> = {
  treasury_low: 'the treasury is too low',
  native_low: 'the coin balance for network fees is too low',
  signing_refused: 'the signer refused',
  sends_stopped: 'sends are stopped: a transfer out of the treasury is unexplained',
  network_unreachable: 'the network cannot be reached',
};
