// Reads the tokens that left the treasury's token account, no matter which key signed the transaction. An outflow counts if any
// provider shows it, even before it is final. Outflows are read before every signature, so a provider without new transactions
// must need only a few requests.
import type { Network } from '../../../../ports/networks/network.ts';
import type { Outflow, OutflowPage } from '../../../../ports/networks/network-watch.ts';
import { rememberNewest } from '../pay/broadcaster.ts';
import { jsonTextOf, type SolanaChain } from '../rpc/chain.ts';
import type { HistoryEntry, SolanaClient } from '../rpc/client.ts';
import { listHistoryFrom } from '../rpc/history-calls.ts';
import {
  type LandedTransaction,
  readLandedTransaction,
  UnreadableTransaction,
} from '../rpc/landed-transaction.ts';
import { readTokenAccount } from '../rpc/token-account.ts';
import { type BalanceChange, compareBalances, type HeldBalance } from './compare-balances.ts';

/** The maximum number of transactions that one turn fetches. The transactions that are not read yet may contain an outflow. */
const AT_ONCE = 200;
const RAW_LENGTH = 4_000;

/** The last final transaction that was processed, and its slot. Everything up to that slot was reported. */
interface OutflowMark {
  readonly last: string | null;
  readonly slot: bigint;
  /** The balance of the account at that slot. Null means that it is not known yet. */
  readonly heldMinor: bigint | null;
}

type TransactionFinding =
  | { readonly kind: 'read'; readonly outflows: readonly Outflow[]; readonly change: BalanceChange | null }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly raw: string }
  | { readonly kind: 'later' };

const LATER: TransactionFinding = { kind: 'later' };
const NOTHING: TransactionFinding = { kind: 'read', outflows: [], change: null };

interface ProviderView {
  readonly findings: readonly (readonly [HistoryEntry, TransactionFinding])[];
  readonly reached: OutflowMark;
}

export function makeOutflows(chain: SolanaChain): Network['outflows'] {
  const { providers, treasuryAccount } = chain;
  /**
   * The findings by provider, signature and slot, because the same transaction may have a different effect in a different fork.
   */
  const known = new Map<string, TransactionFinding>();

  const read = async (
    client: SolanaClient,
    provider: string,
    entry: HistoryEntry,
  ): Promise<TransactionFinding> => {
    const name = `${provider} ${entry.signature} ${entry.slot}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const finding = findingIn(chain, entry, await client.transaction(entry.signature, 'confirmed'));
    if (finding.kind !== 'later') rememberNewest(known, name, finding);
    return finding;
  };

  const view = async (client: SolanaClient, provider: string, from: OutflowMark): Promise<ProviderView> => {
    const findings: [HistoryEntry, TransactionFinding][] = [];
    const listed = await listSince(client, treasuryAccount, from);
    let firstOpen: HistoryEntry | undefined;
    for (const [index, entry] of listed.entries()) {
      const tooMany = index >= AT_ONCE;
      const finding = tooMany ? LATER : entry.failed ? NOTHING : await read(client, provider, entry);
      findings.push([entry, finding]);
      if (!entry.final || finding.kind === 'later') firstOpen ??= entry;
      if (tooMany) break;
    }
    // The mark never stops in the middle of a slot.
    const passed = listed.findLast(({ slot }) => firstOpen === undefined || slot < firstOpen.slot);
    const reached = passed === undefined ? from : { ...from, last: passed.signature, slot: passed.slot };
    return { findings, reached };
  };

  return async (text) => {
    if (text === null) {
      const marks = await providers.every((client) => readNewestFinalMark(client, treasuryAccount));
      const begin = marks.reduce((a, b) => (b.slot > a.slot ? b : a));
      return { outflows: [], unreadable: [], position: writeMark(begin) };
    }
    const from = readMark(text);
    // The balance must be at least as new as the newest block that any provider reports as final.
    const heads = await providers.every((client) => client.finalized());
    const newest = heads.map(({ slot }) => slot).reduce((a, b) => (b > a ? b : a));
    const views = await providers.every((client, provider) => view(client, provider, from));
    const balances = await providers.every((client) => readBalance(chain, client, newest));
    return mergeViews(from, views, balances);
  };
}

async function readBalance({ treasuryAccount }: SolanaChain, client: SolanaClient, notBefore: bigint) {
  const { slot, accounts } = await client.finalAccounts([treasuryAccount], notBefore);
  return { slot, heldMinor: readTokenAccount(accounts[0] ?? null)?.amountMinor ?? 0n };
}

/**
 * Merges the findings of all providers, because one provider may read a transaction that another cannot. A listed transaction
 * that no provider returns yet may be an outflow. Then the page is incomplete, but operators are not informed yet.
 */
function mergeViews(
  from: OutflowMark,
  views: readonly ProviderView[],
  balances: readonly HeldBalance[],
): OutflowPage {
  const outflows = new Map<string, Outflow>();
  const readable = new Set<string>();
  const later = new Set<string>();
  const unreadable = new Map<string, OutflowPage['unreadable'][number]>();
  const changes = new Map<string, BalanceChange>();
  for (const [{ signature }, finding] of views.flatMap(({ findings }) => findings)) {
    if (finding.kind === 'later') later.add(signature);
    else if (finding.kind === 'unreadable') unreadable.set(signature, finding);
    else readable.add(signature);
    for (const each of finding.kind === 'read' ? finding.outflows : [])
      outflows.set(`${each.txHash} ${each.index}`, each);
    if (finding.kind === 'read' && finding.change !== null) changes.set(signature, finding.change);
  }
  const incomplete = [...later].some((each) => !readable.has(each) && !unreadable.has(each));
  const isUnreadable = [...unreadable.keys()].some((each) => !readable.has(each));
  const slowest = views.map((view) => view.reached).reduce((a, b) => (b.slot < a.slot ? b : a));
  const compared = compareBalances(
    from.heldMinor,
    [...changes.values()],
    incomplete ? [] : balances,
    slowest.slot,
  );
  const reached = { ...slowest, heldMinor: isUnreadable ? null : compared.heldMinor };
  const unlistedMinor = incomplete || isUnreadable ? null : compared.unlistedMinor;
  return {
    outflows: [...outflows.values()],
    unreadable: [...unreadable].flatMap(([signature, { reason, raw }]) =>
      readable.has(signature) ? [] : [{ reason, raw }],
    ),
    position: writeMark(reached),
    ...(unlistedMinor !== null && { unlistedMinor }),
    ...(incomplete && { incomplete }),
  };
}

function findingIn(chain: SolanaChain, { signature }: HistoryEntry, raw: unknown): TransactionFinding {
  if (raw === null) return LATER;
  try {
    const landed = landedIn(chain, raw);
    return {
      kind: 'read',
      outflows: outflowsIn(chain, landed, signature),
      change: changeIn(chain, landed),
    };
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    const text = `${signature} ${jsonTextOf(raw)}`.slice(0, RAW_LENGTH);
    return { kind: 'unreadable', reason: error.message, raw: text };
  }
}

/**
 * Anyone can include the treasury's account in a transaction whose other parts are unreadable. Such a transaction must not stop
 * sends.
 */
function landedIn({ treasuryAccount }: SolanaChain, raw: unknown): LandedTransaction {
  try {
    return readLandedTransaction(raw);
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    return readLandedTransaction(raw, treasuryAccount);
  }
}

function changeIn({ treasuryAccount, mint }: SolanaChain, landed: LandedTransaction): BalanceChange | null {
  const { slot, tokens, failed } = landed;
  const ours = tokens.find((each) => each.account === treasuryAccount && each.mint === mint.address);
  if (failed || ours === undefined || ours.beforeMinor === ours.afterMinor) return null;
  return { slot, beforeMinor: ours.beforeMinor, afterMinor: ours.afterMinor };
}

function outflowsIn(
  { treasury, treasuryAccount, mint }: SolanaChain,
  { tokens, failed }: LandedTransaction,
  txHash: string,
): readonly Outflow[] {
  const ours = tokens.find((each) => each.account === treasuryAccount && each.mint === mint.address);
  if (failed || ours === undefined) return [];
  // A new owner of the account owns all tokens in it.
  const handedOver = ours.owner !== null && ours.owner !== treasury && ours.ownerBefore === treasury;
  const lostMinor = handedOver ? ours.beforeMinor : ours.beforeMinor - ours.afterMinor;
  if (lostMinor <= 0n) return [];
  const gains = tokens
    .filter((each) => each.mint === mint.address && each.afterMinor > each.beforeMinor)
    .map(({ index, owner, beforeMinor, afterMinor }) => ({
      index,
      to: owner,
      amountMinor: afterMinor - beforeMinor,
    }));
  const gainedMinor = gains.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const whole = { index: ours.index, to: handedOver ? ours.owner : null, amountMinor: lostMinor };
  const shown = !handedOver && gainedMinor === lostMinor ? gains : [whole];
  return shown.map((each) => ({ txHash, innerHash: null, ...each }));
}

/** The list is oldest first. It leaves out the slot of the mark, because all of that slot was already reported. */
async function listSince(
  client: SolanaClient,
  account: string,
  { last, slot }: OutflowMark,
): Promise<readonly HistoryEntry[]> {
  const listed = await listHistoryFrom(client, account, { last, slot });
  return listed.filter((each) => each.slot > slot);
}

async function readNewestFinalMark(client: SolanaClient, account: string): Promise<OutflowMark> {
  const page = await client.history(account, { until: null, before: null });
  const final = page.find((entry) => entry.final);
  return { last: final?.signature ?? null, slot: final?.slot ?? 0n, heldMinor: null };
}

function writeMark({ last, slot, heldMinor }: OutflowMark): string {
  return JSON.stringify({ last, slot: `${slot}`, ...(heldMinor !== null && { held: `${heldMinor}` }) });
}

function readMark(text: string): OutflowMark {
  const { last, slot, held } = JSON.parse(text) as {
    readonly last: string | null;
    readonly slot: string;
    readonly held?: string;
  };
  return { last, slot: BigInt(slot), heldMinor: held === undefined ? null : BigInt(held) };
}
