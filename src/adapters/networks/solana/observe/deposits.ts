// Watches the token accounts of deposit owners and of the treasury. One request shows which of many accounts changed, and only
// the histories of these accounts are read. All permanent state is in the position, so a lost commit loses no deposit.
import { type Address, address } from '@solana/kit';
import type { Network } from '../../../../ports/networks/network.ts';
import type { DepositAddresses, DepositObservation } from '../../../../ports/networks/network-observer.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { requireFreshProvider } from '../rpc/freshness.ts';
import { readTokenAccount, tokenAccountOf } from '../rpc/token-account.ts';
import {
  type AccountHistory,
  gatherArrivals,
  type HistoryOptions,
  type Observation,
  readHistory,
} from './account-history.ts';
import { makeAccountLooks, makeHistoryGaps, makeOldOwnersTurn } from './account-looks.ts';
import { type HistoryMark, markAt, readPosition, setMark, UNREAD_MARK, writePosition } from './position.ts';
import { makeFindStrayTokens } from './stray-tokens.ts';

/** `isOwn` tells whether this process signed a transaction. Its own transactions are not deposits. */
export function makeObserve(chain: SolanaChain, isOwn: (signature: string) => boolean): Network['observe'] {
  const { mint, providers, clock } = chain;
  const looks = makeAccountLooks(clock);
  const accountOf = new Map<string, Address>();
  const accountsOf = makeOwnerAccounts(mint, accountOf, looks);
  const strangers = makeFindStrayTokens(chain);
  const lateTurn = makeOldOwnersTurn(chain);
  const gaps = makeHistoryGaps(chain);

  /** Returns the owners whose account holds tokens or has transactions that are not final yet. */
  const deposits = async (client: SolanaClient, owners: readonly string[], harvest: Observation) => {
    const open = new Set<string>();
    const targets = await accountsOf(owners);
    const accounts = await client.accounts(
      targets.map(({ account }) => account),
      'confirmed',
    );
    for (const [index, { owner, account }] of targets.entries()) {
      const held = accounts[index]!;
      const mark = markAt(harvest.position, owner, account);
      const heldMinor = readTokenAccount(held)?.amountMinor ?? 0n;
      if (heldMinor > 0n) open.add(owner);
      if (!looks.isNews(account, held, mark)) continue;
      const read = await readHistoryFully(
        client,
        account,
        heldMinor,
        mark ?? UNREAD_MARK,
        gaps.policy(account),
      );
      gaps.heard(account, read.gap);
      looks.remember(account, held, mark, read);
      gatherArrivals(chain, harvest, owner, read, (arrival) => arrival.mint === mint.address);
      setMark(harvest.position, owner, account, read.mark);
      if (read.more || read.mark.seen.length > 0) open.add(owner);
    }
    return open;
  };

  return async (text, watch) => {
    const owners = [...new Set(await watch.recent())];
    return providers.one(async (client) => {
      await requireFreshProvider(chain, client);
      const harvest: Observation = { position: readPosition(text), sightings: [], unreadable: [] };
      // An old address is watched from the time when tokens are found there until it is empty again.
      const late = [...harvest.position.owners.keys(), ...(await lateTurn(client, watch))];
      const open = await deposits(client, [...new Set([...owners, ...late])], harvest);
      // Other tokens are only for the information of operators. A failure here must not prevent the detection of deposits.
      await strangers(client, owners, accountOf, harvest).catch((error: unknown) =>
        chain.onTrouble('looking for other tokens at deposit addresses failed', {
          error: messageOf(error),
        }),
      );
      await readTreasuryDeposits(chain, client, { harvest, isOwn, watch });
      const position = writePosition(harvest.position, new Set([...owners, ...open]));
      return {
        sightings: harvest.sightings,
        unreadable: harvest.unreadable,
        position,
      } satisfies DepositObservation;
    });
  };
}

function makeOwnerAccounts(
  mint: SolanaChain['mint'],
  accountOf: Map<string, Address>,
  looks: ReturnType<typeof makeAccountLooks>,
) {
  return async (owners: readonly string[]) => {
    const current = new Set(owners);
    for (const [owner, account] of accountOf) {
      if (current.has(owner)) continue;
      accountOf.delete(owner);
      looks.forget(account);
    }
    return Promise.all(
      owners.map(async (owner) => {
        const account = accountOf.get(owner) ?? (await tokenAccountOf(mint, address(owner)));
        accountOf.set(owner, account);
        return { owner, account };
      }),
    );
  };
}

/**
 * If the history does not explain the balance, transactions that are listed as failed are fetched too, because the list may be
 * wrong.
 */
async function readHistoryFully(
  client: SolanaClient,
  account: Address,
  heldMinor: bigint,
  mark: HistoryMark,
  gaps: NonNullable<HistoryOptions['gaps']>,
): Promise<AccountHistory> {
  const read = await readHistory(client, account, mark, { gaps });
  if (!read.passedFailed || read.heldMinor === heldMinor) return read;
  const again = await readHistory(client, account, mark, { gaps, doubtsFailed: true });
  const isWhole = !again.more && again.missing === null && again.gap === null && again.heldMinor !== null;
  if (isWhole && again.heldMinor !== heldMinor)
    throw new Error(
      'the balance of a deposit address does not fit its listed transactions, even with those listed as failed',
    );
  return again;
}

/**
 * The tokens that the treasury received from outside. Transfers by the treasury itself and sweeps of deposit addresses do not
 * count.
 */
async function readTreasuryDeposits(
  chain: SolanaChain,
  client: SolanaClient,
  {
    harvest,
    isOwn,
    watch,
  }: { harvest: Observation; isOwn: (signature: string) => boolean; watch: DepositAddresses },
): Promise<void> {
  const { mint, treasury, treasuryAccount } = chain;
  if (harvest.position.treasury === null) {
    // Tokens that arrived before the first observation are the opening balance of the treasury.
    const newest = await client.history(treasuryAccount, { until: null, before: null });
    const final = newest.find((entry) => entry.final);
    const last = final?.signature ?? null;
    harvest.position.treasury = { last, slot: `${final?.slot ?? 0n}`, seen: [] };
  }
  const read = await readHistory(client, treasuryAccount, harvest.position.treasury, { isOwn });
  harvest.position.treasury = read.mark;
  const senders = new Set(read.arrivals.flatMap(({ sender }) => sender ?? []));
  const ours = senders.size === 0 ? new Set<string>() : await watch.ours([...senders]);
  const outside = read.arrivals.filter(
    ({ sender }) => sender === null || (sender !== treasury && !ours.has(sender)),
  );
  gatherArrivals(
    chain,
    harvest,
    treasury,
    { ...read, arrivals: outside },
    (arrival) => arrival.mint === mint.address,
  );
}
