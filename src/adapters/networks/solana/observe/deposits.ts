// Watches the token accounts of deposit owners and of the treasury. Which accounts changed is asked for many at once, and
// only the history of those is read; everything lasting is in the position, so that a lost commit loses nothing.
import { type Address, address } from '@solana/kit';
import type { Network } from '../../../../ports/network/network.ts';
import type { Observed, Watch } from '../../../../ports/network/observes.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import { requireFresh } from '../rpc/freshness.ts';
import type { ChainAccount, SolanaClient } from '../rpc/rpc.ts';
import { readTokenAccount, tokenAccountOf } from '../rpc/token-account.ts';
import { makeGaps } from './gaps.ts';
import { gather, type Harvest } from './harvest.ts';
import { type Read, readHistory } from './history.ts';
import { makeLateTurns } from './late.ts';
import { type Mark, markAt, readPosition, setMark, UNREAD, writePosition } from './position.ts';
import { makeStrangers } from './strangers.ts';

/** How long an account that looks the same is believed: what came and went in between looks the same too. */
const BELIEVED_MS = 120_000;

/** How an account looked when its history was last read, from which mark to which. */
interface Look {
  readonly print: string;
  readonly mark: string;
  readonly readAtMs: number;
}

/** `isOwn`: signed by this process, and so no news. */
export function makeObserve(chain: SolanaChain, isOwn: (signature: string) => boolean): Network['observe'] {
  const { mint, providers, clock } = chain;
  const accountOf = new Map<string, Address>();
  const looks = new Map<string, Look>();
  const strangers = makeStrangers(chain);
  const lateTurn = makeLateTurns(chain);
  const gaps = makeGaps(chain);

  const targetsOf = async (owners: readonly string[]) => {
    const current = new Set(owners);
    for (const [owner, account] of accountOf) {
      if (current.has(owner)) continue;
      accountOf.delete(owner);
      looks.delete(account);
    }
    return Promise.all(
      owners.map(async (owner) => {
        const account = accountOf.get(owner) ?? (await tokenAccountOf(mint, address(owner)));
        accountOf.set(owner, account);
        return { owner, account };
      }),
    );
  };

  const isNews = (account: string, held: ChainAccount | null, mark: Mark | undefined): boolean => {
    if (held === null && mark === undefined) return false;
    const look = looks.get(account);
    if (look === undefined || mark === undefined || mark.seen.length > 0) return true;
    const old = clock.now() - look.readAtMs >= BELIEVED_MS;
    return old || look.print !== printOf(held) || look.mark !== JSON.stringify(mark);
  };
  const remember = (account: string, held: ChainAccount | null, before: Mark | undefined, read: Read) => {
    const look = looks.get(account);
    // It changed and nothing tells why: the provider's history is behind its accounts, and is asked again.
    const explained =
      read.news || look?.print === printOf(held) || (look === undefined && before !== undefined);
    if (!explained) return;
    // The rest is read in the next look, however little changes until then.
    if (read.more || read.gap !== null) {
      looks.delete(account);
      return;
    }
    looks.set(account, { print: printOf(held), mark: JSON.stringify(read.mark), readAtMs: clock.now() });
  };

  /** Answers those at which there is something, or something is not final yet. */
  const deposits = async (client: SolanaClient, owners: readonly string[], harvest: Harvest) => {
    const open = new Set<string>();
    const targets = await targetsOf(owners);
    const accounts = await client.accounts(
      targets.map(({ account }) => account),
      'confirmed',
    );
    for (const [index, { owner, account }] of targets.entries()) {
      const held = accounts[index]!;
      const mark = markAt(harvest.position, owner, account);
      if ((readTokenAccount(held)?.amountMinor ?? 0n) > 0n) open.add(owner);
      if (!isNews(account, held, mark)) continue;
      const read = await readHistory(client, account, mark ?? UNREAD, { gaps: gaps.policy(account) });
      gaps.heard(account, read.gap);
      remember(account, held, mark, read);
      gather(chain, harvest, owner, read, (arrival) => arrival.mint === mint.address);
      setMark(harvest.position, owner, account, read.mark);
      if (read.more || read.mark.seen.length > 0) open.add(owner);
    }
    return open;
  };

  return async (text, watch) => {
    const owners = [...new Set(await watch.recent())];
    return providers.one(async (client) => {
      await requireFresh(chain, client);
      const harvest: Harvest = { position: readPosition(text), sightings: [], unreadable: [] };
      // Old ones are followed from when something is found there until it is gone again.
      const late = [...harvest.position.owners.keys(), ...(await lateTurn(client, watch))];
      const open = await deposits(client, [...new Set([...owners, ...late])], harvest);
      // What is only looked for to be shown must not keep deposits from being counted.
      await strangers(client, owners, accountOf, harvest).catch((error: unknown) =>
        chain.onTrouble('other tokens at deposit addresses cannot be looked for', {
          error: messageOf(error),
        }),
      );
      await straightToTreasury(chain, client, { harvest, isOwn, watch });
      const position = writePosition(harvest.position, new Set([...owners, ...open]));
      return { sightings: harvest.sightings, unreadable: harvest.unreadable, position } satisfies Observed;
    });
  };
}

function printOf(held: ChainAccount | null): string {
  return held === null ? '' : `${held.lamports} ${Buffer.from(held.data).toString('base64')}`;
}

/** Tokens that came to the treasury from outside: neither its own nor brought in from a deposit address. */
async function straightToTreasury(
  chain: SolanaChain,
  client: SolanaClient,
  { harvest, isOwn, watch }: { harvest: Harvest; isOwn: (signature: string) => boolean; watch: Watch },
): Promise<void> {
  const { mint, treasury, treasuryAccount } = chain;
  if (harvest.position.treasury === null) {
    // What was there before the first look is what the treasury began with.
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
  gather(
    chain,
    harvest,
    treasury,
    { ...read, arrivals: outside },
    (arrival) => arrival.mint === mint.address,
  );
}
