// Reads what one provider shows about signed bytes. The order of the requests makes the responses a proof. The first request
// reads the newest final block, which shows that the bytes can no longer land. Only then are the blocks read that could contain
// them. A missing status proves nothing. An existing status proves that the bytes are on the chain.
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

// Finds the payment that made a transaction fail. The chain reports the failed instruction, and every instruction that opens an
// account or moves tokens belongs to one payment.

/**
 * Undefined means that the failure does not belong to a single payment. Only the first failed payment is known, because the
 * chain stops the transaction there.
 */
export function culpritsOf({ payments }: SolanaPayload, failure: string): readonly number[] | undefined {
  const at = /"InstructionError":\["?(\d+)/.exec(failure)?.[1];
  const opened = payments.flatMap(({ opens }, index) => (opens ? [index] : []));
  const moved = payments.flatMap((each, index) => new Array<number>(instructionCountOf(each)).fill(index));
  const culprit = at === undefined ? undefined : [...opened, ...moved][Number(at) - FIRST_MOVE_INDEX];
  return culprit === undefined ? undefined : [culprit];
}

/** A payment and an empty sweep have one instruction each. A sweep has two, because it moves tokens and closes the account. */
function instructionCountOf(payment: ExpectedChange): number {
  if (isEmptySweep(payment)) return 1;
  const moved = BigInt(payment.change);
  return moved > 0n ? 1 : moved < 0n ? 2 : 0;
}

const NOT_EMPTY = 'there are tokens at the deposit address';

export type ProviderEvidence =
  /** The bytes were not found and may still land. */
  | { readonly kind: 'absent' }
  /**
   * None of the possible blocks contains the bytes. `blockhash` is the hash of the first block that comes too late to contain
   * them.
   */
  | { readonly kind: 'expired'; readonly blockhash: string; readonly absence: Absence }
  /**
   * The bytes have expired, but the provider does not show all blocks that could contain them. So its response proves nothing.
   */
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
  /** The status is final, but the transaction is missing or shows a different result. */
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
  // The bound also came from only one provider. Bytes have not expired while a provider still accepts their blockhash.
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

/** A final block contains the bytes, but their status is missing. The outcome is read from the transaction itself. */
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
  // If the searches of two providers ended in different blocks, the providers have not read the same chain.
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
    return { kind: 'doubtful', reason: 'it is final, but the tokens did not move as signed' };
  const cost = costOf(chain, payload, landed, false);
  const left = payload.payments.findIndex(
    (payment) => isEmptySweep(payment) && !showsEmptyAccount(chain, payment, landed),
  );
  if (left < 0) return { kind: 'final', slot, cost };
  return { kind: 'failed', slot, failure: NOT_EMPTY, cost, culprits: [left] };
}

/** Whether every account changed by exactly the signed amount. This includes the treasury's own account. */
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

/**
 * Whether the deposit address was empty when the transaction ran. A transaction that does not include the account proves nothing.
 */
function showsEmptyAccount(
  { mint }: SolanaChain,
  { account }: ExpectedChange,
  { accounts, tokens }: LandedTransaction,
): boolean {
  const held = tokens.find((each) => each.account === account && each.mint === mint.address);
  return accounts.includes(account) && (held?.afterMinor ?? 0n) === 0n;
}

/** Opening an account takes SOL from the treasury. A swept account is closed, and its SOL goes to the treasury. */
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
