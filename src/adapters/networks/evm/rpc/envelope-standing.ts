// The state of the versions signed with one nonce, according to one provider. Every final state comes from a response that
// contains its block. Such a response is a receipt, or the block with the transaction that used the nonce. A missing receipt
// proves nothing.
import type { Hex } from 'viem';
import type { Envelope } from '../../../../ports/networks/network-payer.ts';
import { type EvmBlock, ProviderFailure, type Receipt } from './answers.ts';
import type { EvmClient } from './client.ts';
import { findNonceTaker, type NonceTaker, requireFinal } from './nonce-taker.ts';

export type EnvelopeStanding =
  /** A version is in a final block. */
  | { readonly kind: 'landed'; readonly receipt: Receipt; readonly finalizedBlock: bigint }
  | { readonly kind: 'included'; readonly confirmations: number; readonly finalizedBlock: bigint }
  /** A transaction that is not ours has used the nonce, and this is final. */
  | { readonly kind: 'spent'; readonly by: NonceTaker; readonly finalizedBlock: bigint }
  /**
   * The nonce seems to be used, but the provider does not show which transaction used it, because some of its servers lag
   * behind.
   */
  | { readonly kind: 'unseen'; readonly finalizedBlock: bigint }
  /** `itsTurn` means that all earlier nonces are used. */
  | { readonly kind: 'open'; readonly itsTurn: boolean; readonly finalizedBlock: bigint };

/** A provider without a new block for this time is stalled, because these networks have a block every few seconds. */
const STALE_AFTER_MS = 10 * 60_000;

export async function readEnvelopeStanding(
  client: EvmClient,
  treasury: Hex,
  envelope: Envelope,
  nowMs: number,
  /**
   * If true, the response also proves that the final block comes after the block of the receipt. This is needed if the result
   * leads to a new signature.
   */
  linked = false,
): Promise<EnvelopeStanding> {
  const sequence = Number(envelope.versions[0]?.sequence);
  const [{ finalized, latest }, nonceAtFinality, nonceNow] = await Promise.all([
    readHeads(client),
    client.nonce(treasury, 'finalized'),
    client.nonce(treasury, 'latest'),
  ]);
  const finalizedBlock = finalized.number;
  const receipts = await Promise.all(envelope.versions.map(({ hash }) => client.receipt(hash as Hex)));
  const receipt = receipts.find((each) => each !== null);
  if (receipt === undefined || receipt === null) {
    if (nonceAtFinality > sequence) {
      const by = await findNonceTaker(client, { from: treasury, nonce: sequence }, finalized);
      const isShown = by !== undefined && !envelope.versions.some(({ hash }) => hash === by.hash);
      return isShown ? { kind: 'spent', by, finalizedBlock } : { kind: 'unseen', finalizedBlock };
    }
    requireFreshBlock(latest, nowMs);
    return { kind: 'open', itsTurn: nonceNow === sequence, finalizedBlock };
  }
  if (!envelope.versions.some(({ hash }) => hash === receipt.hash))
    throw new ProviderFailure('a receipt belongs to another transaction', true);
  if (receipt.block > finalizedBlock) {
    const confirmations = Math.max(1, Number(latest.number - receipt.block) + 1);
    return { kind: 'included', confirmations, finalizedBlock };
  }
  await (linked ? requireFinal(client, receipt, finalized) : requireCanonical(client, receipt));
  return { kind: 'landed', receipt, finalizedBlock };
}

export async function readHeads(client: EvmClient): Promise<{ finalized: EvmBlock; latest: EvmBlock }> {
  const [finalized, latest] = await Promise.all([client.block('finalized'), client.block('latest')]);
  if (finalized === null || latest === null) throw new ProviderFailure('no block is final yet', true);
  return { finalized, latest };
}

/**
 * Throws for a stalled provider, so that a different provider is asked. To a client of a stalled provider, the chain looks as
 * if it had no new transactions.
 */
export function requireFreshBlock({ number, minedAtMs }: EvmBlock, nowMs: number): void {
  if (nowMs - minedAtMs > STALE_AFTER_MS)
    throw new ProviderFailure(
      `it has not seen a new block for a long time; its last block is ${number}`,
      true,
    );
}

/** A receipt counts only if its block is on the chain. */
async function requireCanonical(client: EvmClient, { block, blockHash }: Receipt): Promise<void> {
  const there = await client.block(block);
  if (there?.hash !== blockHash)
    throw new ProviderFailure('a receipt names a block that is not on the chain', true);
}

export function sameEnvelopeStanding(a: EnvelopeStanding, b: EnvelopeStanding): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'spent' && b.kind === 'spent')
    return a.by.hash === b.by.hash && a.by.blockHash === b.by.blockHash;
  if (a.kind === 'open' && b.kind === 'open') return a.itsTurn === b.itsTurn;
  return a.kind !== 'landed' || b.kind !== 'landed' || textOfReceipt(a.receipt) === textOfReceipt(b.receipt);
}

function textOfReceipt({ hash, blockHash, success, logs }: Receipt): string {
  const events = logs.map(({ address, topics, data }) => [address, topics, data]);
  return JSON.stringify([hash, blockHash, success, events]);
}
