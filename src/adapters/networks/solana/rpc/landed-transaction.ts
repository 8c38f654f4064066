// Reads a transaction from the chain: the balances of each account before and after it. Unreadable content throws
// `UnreadableTransaction`, because a guessed value could be wrong.
import { jsonTextOf } from './chain.ts';

export class UnreadableTransaction extends Error {
  override readonly name = 'UnreadableTransaction';
}

export interface TokenChange {
  readonly index: number;
  readonly account: string;
  readonly mint: string;
  /** The owner after the transaction. If the account was closed, it is the owner before the transaction. */
  readonly owner: string | null;
  readonly ownerBefore: string | null;
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
}

export interface LandedTransaction {
  readonly slot: bigint;
  readonly failed: boolean;
  readonly feeMinor: bigint;
  readonly accounts: readonly string[];
  readonly lamports: readonly { readonly before: bigint; readonly after: bigint }[];
  readonly tokens: readonly TokenChange[];
}

type JsonFields = Readonly<Record<string, unknown>>;

/** `only` limits the reading to the token balances of this account. */
export function readLandedTransaction(raw: unknown, only?: string): LandedTransaction {
  const { slot, meta, transaction } = objectOf(raw, 'the transaction');
  const { err, fee, preBalances, postBalances, ...rest } = objectOf(meta, 'what it did');
  const { message } = objectOf(transaction, 'its content');
  const { accountKeys } = objectOf(message, 'its message');
  const loaded = rest.loadedAddresses == null ? {} : objectOf(rest.loadedAddresses, 'its loaded accounts');
  // The balances list the accounts of the message first. Then they list the accounts from address tables: the writable ones,
  // followed by the read-only ones.
  const lists = [accountKeys, loaded.writable ?? [], loaded.readonly ?? []];
  const accounts = lists.flatMap((list) => listOf(list, 'its accounts').map((each) => textIn(each)));
  const before = listOf(preBalances, 'its balances');
  const after = listOf(postBalances, 'its balances');
  if (before.length !== accounts.length || after.length !== accounts.length)
    throw new UnreadableTransaction('the lists of accounts and balances have different lengths');
  return {
    slot: parseWhole(slot),
    failed: err != null,
    feeMinor: parseWhole(fee),
    accounts,
    lamports: accounts.map((_, index) => ({
      before: parseWhole(before[index]),
      after: parseWhole(after[index]),
    })),
    tokens: tokensOf(accounts, rest.preTokenBalances, rest.postTokenBalances, only),
  };
}

/** The error of a failed transaction. Null means that it succeeded, and undefined means that the response does not show it. */
export function failureIn(raw: unknown): string | null | undefined {
  const meta = (raw as { readonly meta?: { readonly err?: unknown } | null } | null)?.meta;
  if (meta == null || meta.err === undefined) return undefined;
  return meta.err === null ? null : jsonTextOf(meta.err);
}

function tokensOf(
  accounts: readonly string[],
  before: unknown,
  after: unknown,
  only: string | undefined,
): readonly TokenChange[] {
  const changes = new Map<number, TokenChange>();
  const read = (list: unknown, side: 'beforeMinor' | 'afterMinor') => {
    for (const each of listOf(list ?? [], 'its token balances')) {
      const { accountIndex, mint, owner, uiTokenAmount } = objectOf(each, 'a token balance');
      const index = Number(parseWhole(accountIndex));
      const account = accounts[index];
      if (account === undefined) throw new UnreadableTransaction('a token balance belongs to no account');
      if (only !== undefined && account !== only) continue;
      const amount = parseWhole(objectOf(uiTokenAmount, 'a token balance').amount);
      const known = changes.get(index);
      // One transaction closed the account and opened it again for a different token, so two accounts have the same index.
      if (known !== undefined && known.mint !== mint)
        throw new UnreadableTransaction('an account changed its token');
      const empty = { beforeMinor: 0n, afterMinor: 0n, ownerBefore: null };
      const change = { ...(known ?? empty), index, account, mint: textIn(mint), [side]: amount };
      const named = typeof owner === 'string' ? owner : null;
      const ownerBefore = side === 'beforeMinor' ? named : change.ownerBefore;
      changes.set(index, { ...change, owner: named ?? known?.owner ?? null, ownerBefore });
    }
  };
  read(before, 'beforeMinor');
  read(after, 'afterMinor');
  return [...changes.values()];
}

/** The change of an account's tokens. It is 0 if the account is not in the transaction. */
export function changeAt({ tokens }: LandedTransaction, account: string, mint: string): bigint {
  const found = tokens.find((each) => each.account === account && each.mint === mint);
  return found === undefined ? 0n : found.afterMinor - found.beforeMinor;
}

/** The owner that lost the most tokens of that mint. Null means that no owner lost any. */
export function senderOf({ tokens }: LandedTransaction, mint: string): string | null {
  const losses = tokens
    .map(({ owner, mint: of, beforeMinor, afterMinor }) => ({
      owner,
      of,
      lostMinor: beforeMinor - afterMinor,
    }))
    .filter(({ of, lostMinor }) => of === mint && lostMinor > 0n)
    .toSorted((a, b) => (a.lostMinor > b.lostMinor ? -1 : a.lostMinor < b.lostMinor ? 1 : 0));
  return losses[0]?.owner ?? null;
}

function objectOf(value: unknown, what: string): JsonFields {
  if (typeof value !== 'object' || value === null) throw new UnreadableTransaction(`${what} is missing`);
  return value as JsonFields;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableTransaction(`${what} is not a list`);
  return value;
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new UnreadableTransaction('a text is missing');
  return value;
}

function parseWhole(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value);
  throw new UnreadableTransaction('a number is missing');
}
