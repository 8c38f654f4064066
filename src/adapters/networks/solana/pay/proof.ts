// What one provider shows of signed bytes, read in the order that makes it a proof: first the newest final block, which shows
// that they can no longer land, and only then that they are not there. Each request may be answered by another server, so the
// answer without a status must show itself how far its server had read: by its slot, and by witnesses.
import type { Absence } from '../../../../domain/movements/proof-of-death.ts';
import type { Cost, Prepared } from '../../../../ports/network/pays.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient, Status } from '../rpc/client.ts';
import { requireFresh } from '../rpc/freshness.ts';
import { changeAt, type Landed, readLanded, Unreadable } from '../rpc/landed.ts';
import { culpritsOf } from './culprits.ts';
import { type ExpectedChange, isLook, type Payload, readPayload } from './envelope.ts';
import { askedWith, knowsBoth, lastHeight, witnessesOf } from './witnesses.ts';

const NOT_EMPTY = 'there are tokens at the deposit address';

export type Word =
  /** Not found, and it may still land. */
  | { readonly kind: 'absent' }
  /** Not found, and by this provider's answer it never will be. */
  | { readonly kind: 'expired'; readonly height: bigint; readonly absence: Absence }
  /** Past its bound, at a server that does not have all blocks in which it could land: its answer proves nothing. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'included'; readonly confirmations: number }
  | {
      readonly kind: 'failed';
      readonly slot: bigint;
      readonly failure: string;
      readonly cost: Cost | null;
      readonly culprits: readonly number[] | undefined;
    }
  | { readonly kind: 'final'; readonly slot: bigint; readonly cost: Cost }
  /** Final by its status, while the transaction itself is missing or shows something else. */
  | { readonly kind: 'doubtful'; readonly reason: string };

export async function wordOf(
  chain: SolanaChain,
  client: SolanaClient,
  provider: string,
  prepared: Prepared,
): Promise<Word> {
  const payload = readPayload(prepared);
  const { hash, bound } = prepared;
  const [first = null] = (await client.statuses([hash])).found;
  if (first !== null) return landedWord(chain, client, prepared, payload, first);
  const absent = async (): Promise<Word> => {
    await requireFresh(chain, client);
    return { kind: 'absent' };
  };
  const passed = await client.finalized();
  // The bound is one provider's answer too: bytes that a provider still accepts are not past it.
  if (passed.height <= lastHeight(bound!) || (await client.isUsable(payload.blockhash))) return absent();
  const witnesses = await witnessesOf(client, payload.slot, bound!);
  if (witnesses === 'behind') return absent();
  if (witnesses === 'forgotten') return { kind: 'forgotten' };
  const answer = await client.statuses(askedWith(hash, witnesses));
  const [then = null] = answer.found;
  if (then !== null) return landedWord(chain, client, prepared, payload, then);
  // Slots are compared with slots, heights with heights: the server of this answer was beyond the final block read before.
  if (answer.slot < passed.slot) return absent();
  if (!knowsBoth(answer, witnesses)) return { kind: 'forgotten' };
  const absence = { provider, observedAt: answer.slot, impossibleFrom: passed.slot };
  return { kind: 'expired', height: passed.height, absence };
}

export function sameWord(a: Word, b: Word): boolean {
  if (a.kind === 'final' && b.kind === 'final') return a.slot === b.slot;
  if (a.kind === 'failed' && b.kind === 'failed') return a.slot === b.slot && a.failure === b.failure;
  return a.kind === b.kind;
}

async function landedWord(
  chain: SolanaChain,
  client: SolanaClient,
  prepared: Prepared,
  payload: Payload,
  status: Status,
): Promise<Word> {
  if (!status.final) {
    await requireFresh(chain, client);
    return { kind: 'included', confirmations: Math.max(1, status.confirmations) };
  }
  const raw = await client.transaction(prepared.hash, 'finalized');
  if (raw === null) return { kind: 'doubtful', reason: 'it is final, but the provider does not show it' };
  let landed: Landed;
  try {
    landed = readLanded(raw);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { kind: 'doubtful', reason: `it is final, but cannot be read: ${error.message}` };
  }
  const { slot, failure } = status;
  if (landed.slot !== slot || landed.failed !== (failure !== null))
    return { kind: 'doubtful', reason: 'its status contradicts its content' };
  if (failure !== null) {
    const cost = costOf(chain, payload, landed, true);
    return { kind: 'failed', slot, failure, cost, culprits: culpritsOf(payload, failure) };
  }
  if (!shows(chain, payload, landed))
    return { kind: 'doubtful', reason: 'it is final, but tokens moved otherwise than signed' };
  const cost = costOf(chain, payload, landed, false);
  const left = payload.payments.findIndex(
    (payment) => isLook(payment) && !showsEmpty(chain, payment, landed),
  );
  if (left < 0) return { kind: 'final', slot, cost };
  return { kind: 'failed', slot, failure: NOT_EMPTY, cost, culprits: [left] };
}

/** Every account changed by exactly what was signed, the treasury's own included. */
function shows({ mint, treasuryAccount }: SolanaChain, { payments }: Payload, landed: Landed): boolean {
  const expected = new Map<string, bigint>([[treasuryAccount, 0n]]);
  for (const { account, change } of payments) {
    expected.set(account, (expected.get(account) ?? 0n) + BigInt(change));
    expected.set(treasuryAccount, expected.get(treasuryAccount)! - BigInt(change));
  }
  return [...expected].every(([account, change]) => changeAt(landed, account, mint.address) === change);
}

/** The deposit address was empty when the transaction ran. A transaction that does not name the account proves nothing. */
function showsEmpty(
  { mint }: SolanaChain,
  { account }: ExpectedChange,
  { accounts, tokens }: Landed,
): boolean {
  const held = tokens.find((each) => each.account === account && each.mint === mint.address);
  return accounts.includes(account) && (held?.afterMinor ?? 0n) === 0n;
}

/** An opened account took SOL from the treasury; a swept account is closed, and all SOL in it goes to the treasury. */
function costOf({ settings }: SolanaChain, { payments }: Payload, landed: Landed, failed: boolean): Cost {
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
