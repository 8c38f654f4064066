// Reads the incoming transfers of a network and stores them before anything else happens. The position advances in the same
// commit as the stored transfers. If a transfer is seen again, it is the same deposit. An unmatched transfer is kept and queued
// for review.
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import { recordSeenDeposit } from '../../domain/settlement/sell.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { DepositAddresses, Sighting } from '../../ports/networks/network-observer.ts';
import { newId, type PickDeps, type SettlementDeps } from '../engine/deps.ts';
import { type FeedMemory, newFeedMemory, readFeedUnderLease } from './feed-hold.ts';
import { makeStorable, quarantineLine } from './quarantine.ts';

/** After this default time a deposit may be final. An earlier query is useless. */
const FIRST_LOOK_MS = 200;

/** Returns the name of a network's feed. One process at a time reads this feed. */
export function networkFeedName(mode: Mode, network: string): string {
  return `network ${mode} ${network}`;
}

/** Returns the number of transfers that the network reported, or undefined if another process reads this network. */
export function observeDeposits(
  deps: SettlementDeps,
  mode: Mode,
  network: Network,
  memory: FeedMemory = newFeedMemory(),
): Promise<number | undefined> {
  return readFeedUnderLease(deps, networkFeedName(mode, network.name), memory, async (hold) => {
    const { sightings, unreadable, position } = await network.observe(
      hold.position,
      makeAddressWatch(deps, mode, network),
    );
    if (sightings.length > 0 || unreadable.length > 0 || position !== hold.position) {
      const seen = sightings.map(makeStorable);
      await correctDeposits(deps, mode, network, seen);
      const changes = await decideSightings(deps, mode, network, seen);
      const poison = unreadable.map(({ reason, raw }) => {
        deps.onTrouble('an incoming transfer cannot be read', { network: network.name, reason });
        return quarantineLine(mode, network.name, reason, raw, deps.clock.now());
      });
      await recordSightings(deps, mode, network, [...changes, ...poison], { hold, position });
    }
    return { position, found: sightings.length };
  });
}

/** A deposit address counts as recent for this long after its sell. */
const WATCHED_MS = 30 * 24 * 3_600_000;

const OLD_AT_ONCE = 100;

function makeAddressWatch(
  { store, clock }: PickDeps<'clock' | 'store'>,
  mode: Mode,
  { name }: Network,
): DepositAddresses {
  return {
    recent: () => store.depositAddresses(mode, name, clock.now() - WATCHED_MS),
    older: async (afterId) => {
      const range = { beforeMs: clock.now() - WATCHED_MS, afterId, limit: OLD_AT_ONCE };
      const found = await store.oldDepositAddresses(mode, name, range);
      const next = found.length < OLD_AT_ONCE ? null : found.at(-1)!.transactionId;
      return { addresses: found.map(({ address }) => address), next };
    },
    ours: (addresses) => store.ownDepositAddresses(mode, name, addresses),
  };
}

/**
 * If the service sees a transfer early, its amount or block time may change until the transfer is final. The final values
 * count. They are stored before the position advances, because otherwise they would be lost.
 */
async function correctDeposits(
  deps: PickDeps<'clock' | 'onTrouble' | 'store'>,
  mode: Mode,
  network: Network,
  sightings: readonly Sighting[],
): Promise<void> {
  const final = sightings.filter((each) => each.final && each.amountMinor > 0n);
  const stored = await deps.store.findDeposits(mode, network.name, final);
  const changes = final.flatMap((sighting, index): Change[] => {
    const deposit = stored[index];
    const same = deposit?.amountMinor === sighting.amountMinor && deposit.address === sighting.address;
    if (deposit === undefined) return [];
    const { txHash, address, amountMinor } = sighting;
    const chainAtMs = sighting.chainAtMs ?? deposit.chainAtMs;
    const about = { network: network.name, deposit: deposit.id, tx_hash: txHash };
    const atMs = deps.clock.now();
    if (same && deposit.state !== 'gone') {
      // A settled deposit does not change any more. Only an undecided sell needs the time at which its tokens were sent.
      if (deposit.state !== 'seen' || deposit.chainAtMs === chainAtMs) return [];
      return [{ atMs, deposits: [makeMove(deposit, { chainAtMs, dueAtMs: atMs })] }];
    }
    if (deposit.state === 'seen' && deposit.address === address) {
      deps.onTrouble('a transfer changed its amount before it was final', about);
      return [{ atMs, deposits: [makeMove(deposit, { amountMinor, chainAtMs, dueAtMs: atMs })] }];
    }
    deps.onTrouble('a final transfer differs from its settled deposit', about);
    return [
      quarantineLine(
        mode,
        network.name,
        `it differs from the recorded deposit ${deposit.id}`,
        sighting,
        atMs,
      ),
    ];
  });
  if (changes.length === 0) return;
  const outcomes = await deps.store.commit(changes);
  // If another process changes the deposit at the same time, the whole read is repeated.
  if (outcomes.some(({ kind }) => kind !== 'committed'))
    throw new Error('a deposit could not be corrected yet');
}

async function decideSightings(
  deps: PickDeps<'clock' | 'entropy' | 'store'>,
  mode: Mode,
  network: Network,
  sightings: readonly Sighting[],
): Promise<readonly Change[]> {
  const { store, clock } = deps;
  const targets = sightings.map(({ address, memo }) => ({ address, memo: memo ?? '' }));
  const owners = await store.findDepositTargets(mode, network.name, targets);
  const transactions = await store.transactionsById([...new Set(owners.flatMap((id) => id ?? []))]);
  const moved = new Set<string>();
  return sightings.map((sighting, index): Change => {
    if (sighting.amountMinor <= 0n)
      return quarantineLine(mode, network.name, 'the amount is not positive', sighting, clock.now());
    const deposit = makeDeposit(deps, mode, network, sighting, owners[index] ?? null);
    const recorded: Change = { atMs: clock.now(), newDeposits: [deposit] };
    const transaction = deposit.transactionId === null ? undefined : transactions.get(deposit.transactionId);
    // A sell changes only once in a batch, so a second transfer to the same sell does not change it again.
    if (transaction === undefined || deposit.state !== 'seen' || moved.has(transaction.id)) return recorded;
    moved.add(transaction.id);
    return { ...recordSeenDeposit(transaction, deposit, clock.now()), ...recorded };
  });
}

/** If the sell changed meanwhile, the service cannot commit its change of the sell, but stores the deposit anyway. */
async function recordSightings(
  deps: PickDeps<'clock' | 'onTrouble' | 'store'>,
  mode: Mode,
  network: Network,
  changes: readonly Change[],
  feed: Parameters<SettlementDeps['store']['commit']>[1],
): Promise<void> {
  const plain = ({ transactions: _, ...change }: Change): Change => change;
  const moving = changes.filter((change) => change.transactions !== undefined);
  const outcomes = await deps.store.commit(moving);
  const stale = moving.filter((_, index) => outcomes[index]!.kind !== 'committed');
  const rest = [...changes.filter((change) => change.transactions === undefined), ...stale.map(plain)];
  const results = await deps.store.commit(rest, feed);
  const refused = results.flatMap((outcome, index): Change[] => {
    if (outcome.kind !== 'refused') return [];
    deps.onTrouble('a deposit was refused', { network: network.name, constraint: outcome.constraint });
    const reason = `the database refused it: ${outcome.constraint}`;
    return [quarantineLine(mode, network.name, reason, rest[index]!.newDeposits, deps.clock.now())];
  });
  // Once the refused deposits are stored, the position also advances past them.
  if (refused.length > 0) await deps.store.commit(refused, feed);
}

function makeDeposit(
  deps: PickDeps<'clock' | 'entropy'>,
  mode: Mode,
  network: Network,
  sighting: Sighting,
  owner: string | null,
): Deposit {
  const atMs = deps.clock.now();
  const { ourToken, amountMinor, txHash, txIndex, address, memo, sender } = sighting;
  return {
    id: newId(deps, 'dep'),
    mode,
    network: network.name,
    txHash,
    txIndex,
    address,
    memo: memo ?? '',
    sender,
    // The ledger does not contain foreign tokens, so such a transfer is queued for review.
    asset: ourToken ? tokenAsset(network.asset.code, network.name) : tokenAsset('unknown', network.name),
    amountMinor,
    transactionId: owner,
    state: ourToken ? 'seen' : 'suspense',
    exception: ourToken ? null : 'wrong_token',
    version: 1,
    dueAtMs: ourToken ? atMs + (sighting.final ? 0 : FIRST_LOOK_MS) : null,
    tries: 0,
    seenAtMs: atMs,
    chainAtMs: sighting.chainAtMs ?? null,
  };
}
