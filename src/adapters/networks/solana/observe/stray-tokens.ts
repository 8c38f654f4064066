// Searches, at longer intervals, for unexpected tokens of deposit owners: other tokens, and our token in any account except the
// deposit account.
import { jsonTextOf, type SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { readTokenAccount, TOKEN_PROGRAMS } from '../rpc/token-account.ts';
import { type AccountHistory, gatherArrivals, type Observation, readHistory } from './account-history.ts';
import { markAt, setMark, UNREAD_MARK } from './position.ts';

const EVERY_MS = 60_000;
const AT_ONCE = 10;

type FindStrayTokens = (
  client: SolanaClient,
  owners: readonly string[],
  depositAccounts: ReadonlyMap<string, string>,
  harvest: Observation,
) => Promise<void>;

export function makeFindStrayTokens(chain: SolanaChain): FindStrayTokens {
  const { mint, clock } = chain;
  const lookedAtMs = new Map<string, number>();

  const due = (owners: readonly string[]): readonly string[] => {
    const current = new Set(owners);
    for (const owner of lookedAtMs.keys()) if (!current.has(owner)) lookedAtMs.delete(owner);
    const fresh = owners.filter((owner) => !lookedAtMs.has(owner));
    const old = [...lookedAtMs].filter(([, atMs]) => clock.now() - atMs >= EVERY_MS).map(([owner]) => owner);
    return [...fresh, ...old].slice(0, AT_ONCE);
  };

  return async (client, owners, depositAccounts, harvest) => {
    // Transactions that were reported before they were final are read again until they are final.
    const open = owners.filter((owner) =>
      [...(harvest.position.owners.get(owner) ?? [])].some(
        ([account, { seen }]) => account !== depositAccounts.get(owner) && seen.length > 0,
      ),
    );
    for (const owner of new Set([...open, ...due(owners)])) {
      const lists = await Promise.all(TOKEN_PROGRAMS.map((program) => client.tokenAccounts(owner, program)));
      for (const { address, account } of lists.flat()) {
        if (address === depositAccounts.get(owner)) continue;
        const token = readTokenAccount(account);
        const mark = markAt(harvest.position, owner, address);
        if (token === undefined || (token.amountMinor === 0n && mark === undefined)) continue;
        const read = await readHistory(client, address, mark ?? UNREAD_MARK);
        const astray = read.arrivals.filter((arrival) => arrival.mint === mint.address);
        const others = { ...read, arrivals: read.arrivals.filter((each) => !astray.includes(each)) };
        gatherArrivals(chain, harvest, owner, others, () => false);
        harvest.unreadable.push(...astray.map((arrival) => unattributedSighting(owner, address, arrival)));
        setMark(harvest.position, owner, address, read.mark);
      }
      lookedAtMs.delete(owner);
      lookedAtMs.set(owner, clock.now());
    }
  };
}

/** A sweep takes tokens only from the deposit account, so tokens in a different account must not count as a deposit. */
function unattributedSighting(owner: string, account: string, arrival: AccountHistory['arrivals'][number]) {
  const reason = 'the tokens arrived at an account of the deposit owner that is not its deposit account';
  return { reason, raw: jsonTextOf({ owner, account, ...arrival }) };
}
