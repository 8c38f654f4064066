// What one provider shows of signed bytes, read in the order that makes it a proof: first the newest final block, which shows
// that they can no longer land, and only then that they are in none of the blocks where they could be. A missing status proves
// nothing; one that is there contradicts.
import type { Absence } from '../../../../domain/movements/proof-of-death.ts';
import type { EnvelopeCost, SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { SignatureStatus, SolanaClient } from '../rpc/client.ts';
import { requireFreshProvider } from '../rpc/freshness.ts';
import {
  changeAt,
  failureIn,
  type LandedTransaction,
  readLandedTransaction,
  UnreadableTransaction,
} from '../rpc/landed-transaction.ts';
import { type ExpectedChange, isEmptySweep, readPayload, type SolanaPayload } from './envelope.ts';
import { FIRST_MOVE_INDEX } from './instructions.ts';
import { lastPossibleHeight, searchBlocks } from './search-blocks.ts';

// Which payment made a transaction fail: the chain names the instruction, and every instruction that opens an account or moves
// tokens belongs to one payment.

/** Undefined where the failure belongs to no single payment. Only the first is known: the chain stops there. */
export function culpritsOf({ payments }: SolanaPayload, failure: string): readonly number[] | undefined {
  const at = /"InstructionError":\["?(\d+)/.exec(failure)?.[1];
  const opened = payments.flatMap(({ opens }, index) => (opens ? [index] : []));
  const moved = payments.flatMap((each, index) => new Array<number>(instructionCountOf(each)).fill(index));
  const culprit = at === undefined ? undefined : [...opened, ...moved][Number(at) - FIRST_MOVE_INDEX];
  return culprit === undefined ? undefined : [culprit];
}

/** A payment takes one instruction, and so does an empty sweep; a sweep moves tokens and closes the account. */
function instructionCountOf(payment: ExpectedChange): number {
  if (isEmptySweep(payment)) return 1;
  const moved = BigInt(payment.change);
  return moved > 0n ? 1 : moved < 0n ? 2 : 0;
}

const NOT_EMPTY = 'there are tokens at the deposit address';

export type ProviderEvidence =
  /** Not found, and it may still land. */
  | { readonly kind: 'absent' }
  /** In none of the blocks where it could be. `blockhash`: of the first block in which it cannot be any more. */
  | { readonly kind: 'expired'; readonly blockhash: string; readonly absence: Absence }
  /** Past its bound, at a provider that does not show all blocks in which it could land: its answer proves nothing. */
  | { readonly kind: 'forgotten'; readonly reason: string }
  | { readonly kind: 'included'; readonly confirmations: number }
  | {
      readonly kind: 'failed';
      readonly slot: bigint;
      readonly failure: string;
      readonly cost: EnvelopeCost | null;
      readonly culprits: readonly number[] | undefined;
    }
  | { readonly kind: 'final'; readonly slot: bigint; readonly cost: EnvelopeCost }
  /** Final by its status, while the transaction itself is missing or shows something else. */
  | { readonly kind: 'doubtful'; readonly reason: string };

export async function readEvidence(
  chain: SolanaChain,
  client: SolanaClient,
  provider: string,
  prepared: SignedTransaction,
): Promise<ProviderEvidence> {
  const payload = readPayload(prepared);
  const { hash, bound } = prepared;
  const [first = null] = (await client.statuses([hash])).found;
  if (first !== null) return readLandedEvidence(chain, client, prepared, payload, first);
  const absent = async (): Promise<ProviderEvidence> => {
    await requireFreshProvider(chain, client);
    return { kind: 'absent' };
  };
  const passed = await client.finalized();
  // The bound is one provider's answer too: bytes that a provider still accepts are not past it.
  if (passed.height <= lastPossibleHeight(bound!) || (await client.isUsable(payload.blockhash)))
    return absent();
  const look = await searchBlocks(chain, client, {
    hash,
    bound: bound!,
    blockhash: payload.blockhash,
    slot: BigInt(payload.slot),
  });
  if (look.kind === 'behind') return absent();
  if (look.kind === 'unreadable') return { kind: 'forgotten', reason: look.reason };
  if (look.kind === 'found') return readBlockEvidence(chain, client, prepared, payload, look.slot);
  const [then = null] = (await client.statuses([hash])).found;
  if (then !== null) return readLandedEvidence(chain, client, prepared, payload, then);
  const absence = { provider, observedAt: look.height, impossibleFrom: look.impossibleFrom };
  return { kind: 'expired', blockhash: look.blockhash, absence };
}

/** A final block holds it, and its status is missing: what it did is read from the transaction itself. */
async function readBlockEvidence(
  chain: SolanaChain,
  client: SolanaClient,
  prepared: SignedTransaction,
  payload: SolanaPayload,
  slot: bigint,
): Promise<ProviderEvidence> {
  const raw = await client.transaction(prepared.hash, 'finalized');
  const failure = failureIn(raw);
  if (raw === null || failure === undefined)
    return {
      kind: 'forgotten',
      reason: `it is in the block of slot ${slot}, and the provider does not show it`,
    };
  return readLandedEvidence(chain, client, prepared, payload, {
    slot,
    final: true,
    confirmations: 0,
    failure,
  });
}

export function sameEvidence(a: ProviderEvidence, b: ProviderEvidence): boolean {
  if (a.kind === 'final' && b.kind === 'final') return a.slot === b.slot;
  if (a.kind === 'failed' && b.kind === 'failed') return a.slot === b.slot && a.failure === b.failure;
  // Two providers that end in different blocks have not read the same chain.
  if (a.kind === 'expired' && b.kind === 'expired') return a.blockhash === b.blockhash;
  return a.kind === b.kind;
}

async function readLandedEvidence(
  chain: SolanaChain,
  client: SolanaClient,
  prepared: SignedTransaction,
  payload: SolanaPayload,
  status: SignatureStatus,
): Promise<ProviderEvidence> {
  if (!status.final) {
    await requireFreshProvider(chain, client);
    return { kind: 'included', confirmations: Math.max(1, status.confirmations) };
  }
  const raw = await client.transaction(prepared.hash, 'finalized');
  if (raw === null) return { kind: 'doubtful', reason: 'it is final, but the provider does not show it' };
  let landed: LandedTransaction;
  try {
    landed = readLandedTransaction(raw);
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    return { kind: 'doubtful', reason: `it is final, but cannot be read: ${error.message}` };
  }
  const { slot, failure } = status;
  if (landed.slot !== slot || landed.failed !== (failure !== null))
    return { kind: 'doubtful', reason: 'its status contradicts its content' };
  if (failure !== null) {
    const cost = costOf(chain, payload, landed, true);
    return { kind: 'failed', slot, failure, cost, culprits: culpritsOf(payload, failure) };
  }
  if (!showsSignedChanges(chain, payload, landed))
    return { kind: 'doubtful', reason: 'it is final, but tokens moved otherwise than signed' };
  const cost = costOf(chain, payload, landed, false);
  const left = payload.payments.findIndex(
    (payment) => isEmptySweep(payment) && !showsEmptyAccount(chain, payment, landed),
  );
  if (left < 0) return { kind: 'final', slot, cost };
  return { kind: 'failed', slot, failure: NOT_EMPTY, cost, culprits: [left] };
}

/** Every account changed by exactly what was signed, the treasury's own included. */
function showsSignedChanges(
  { mint, treasuryAccount }: SolanaChain,
  { payments }: SolanaPayload,
  landed: LandedTransaction,
): boolean {
  const expected = new Map<string, bigint>([[treasuryAccount, 0n]]);
  for (const { account, change } of payments) {
    expected.set(account, (expected.get(account) ?? 0n) + BigInt(change));
    expected.set(treasuryAccount, expected.get(treasuryAccount)! - BigInt(change));
  }
  return [...expected].every(([account, change]) => changeAt(landed, account, mint.address) === change);
}

/** The deposit address was empty when the transaction ran. A transaction that does not name the account proves nothing. */
function showsEmptyAccount(
  { mint }: SolanaChain,
  { account }: ExpectedChange,
  { accounts, tokens }: LandedTransaction,
): boolean {
  const held = tokens.find((each) => each.account === account && each.mint === mint.address);
  return accounts.includes(account) && (held?.afterMinor ?? 0n) === 0n;
}

/** An opened account took SOL from the treasury; a swept account is closed, and all SOL in it goes to the treasury. */
function costOf(
  { settings }: SolanaChain,
  { payments }: SolanaPayload,
  landed: LandedTransaction,
  failed: boolean,
): EnvelopeCost {
  const gainAt = (account: string): bigint => {
    const balance = landed.lamports[landed.accounts.indexOf(account)];
    return balance === undefined || failed ? 0n : balance.after - balance.before;
  };
  const opened = payments.flatMap(({ account, opens }, index) => {
    const amountMinor = opens ? gainAt(account) : 0n;
    return amountMinor > 0n ? [{ index, amountMinor }] : [];
  });
  const closed = payments.flatMap(({ account, change }, index) => {
    const amountMinor = BigInt(change) < 0n ? -gainAt(account) : 0n;
    return amountMinor > 0n ? [{ index, amountMinor }] : [];
  });
  const cost = { asset: settings.native.asset, feeMinor: landed.feeMinor, opened };
  return closed.length === 0 ? cost : { ...cost, closed };
}
