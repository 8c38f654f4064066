// The calls about the past: statuses by signature, blocks, whole transactions, and the history of an account. Other files
// decide what an empty response proves.
import {
  type Address,
  type Commitment,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit';
import { type ClientCalls, type Rpc, withTimeLimit } from './calls.ts';
import { jsonTextOf } from './chain.ts';
import type { HistoryEntry, SignatureStatus, SolanaClient } from './client.ts';

export const HISTORY_PAGE = 1_000;

const NO_BLOCK = [
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
] as const;

export function historyCalls(
  rpc: Rpc,
): ClientCalls<'statuses' | 'blocksFrom' | 'blockhashAt' | 'block' | 'transaction' | 'history'> {
  return {
    statuses: async (signatures) => {
      const { context, value } = await rpc
        .getSignatureStatuses(signatures as readonly Signature[], { searchTransactionHistory: true })
        .send(withTimeLimit());
      if (value.length !== signatures.length) throw new Error('the provider left statuses out of its answer');
      return { slot: context.slot, found: value.map((each) => (each === null ? null : statusOf(each))) };
    },
    blocksFrom: (slot, limit) =>
      rpc.getBlocksWithLimit(slot, limit, { commitment: 'finalized' }).send(withTimeLimit()),
    blockhashAt: (slot) => {
      const config = {
        commitment: 'confirmed',
        transactionDetails: 'none',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      } as const;
      return undefinedWithoutBlock(
        async () => (await rpc.getBlock(slot, config).send(withTimeLimit()))?.blockhash,
      );
    },
    block: (slot) => {
      const config = {
        commitment: 'finalized',
        encoding: 'json',
        transactionDetails: 'signatures',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      } as const;
      return undefinedWithoutBlock(async () => {
        const block = await rpc.getBlock(slot, config).send(withTimeLimit());
        if (block?.blockHeight == null) return undefined;
        const { blockHeight: height, blockhash: hash, previousBlockhash: parentHash, parentSlot } = block;
        return { height, hash, parentHash, parentSlot, signatures: block.signatures };
      });
    },
    transaction: async (signature, commitment) => {
      const config = { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
      try {
        return await rpc.getTransaction(signature as Signature, config).send(withTimeLimit());
      } catch (error) {
        // The transaction exists, but its version cannot be read. A different provider would return the same error.
        const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION;
        if (isSolanaError(error, code)) return { unsupported: 'the version of this transaction' };
        throw error;
      }
    },
    history: async (address, { until, before }) => {
      const page = await rpc
        .getSignaturesForAddress(address as Address, {
          commitment: 'confirmed',
          limit: HISTORY_PAGE,
          ...(until === null ? {} : { until: until as Signature }),
          ...(before === null ? {} : { before: before as Signature }),
        })
        .send(withTimeLimit());
      return page.map(({ signature, slot, err, confirmationStatus, blockTime }) => ({
        signature,
        slot,
        final: isFinal(confirmationStatus),
        failed: err !== null,
        blockTimeMs: blockTime == null ? null : Number(blockTime) * 1000,
      }));
    },
  };
}

async function undefinedWithoutBlock<Answer>(
  read: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  try {
    return await read();
  } catch (error) {
    if (NO_BLOCK.some((code) => isSolanaError(error, code))) return undefined;
    throw error;
  }
}

/**
 * The history of an account from the slot of a mark, oldest first, without the marked transaction. A provider that does not know
 * the mark lists all entries, starting with the newest. Then the list stops below the slot of the mark.
 */
export async function listHistoryFrom(
  client: Pick<SolanaClient, 'history'>,
  account: string,
  { last, slot }: { readonly last: string | null; readonly slot: bigint },
): Promise<readonly HistoryEntry[]> {
  const listed: HistoryEntry[] = [];
  for (let before: string | null = null; ; before = listed.at(-1)!.signature) {
    const page = await client.history(account, { until: last, before });
    listed.push(...page);
    if (page.length < HISTORY_PAGE || page.at(-1)!.slot < slot) break;
  }
  return listed.filter((each) => each.slot >= slot && each.signature !== last).toReversed();
}

function statusOf(raw: {
  readonly slot: bigint;
  readonly confirmations: bigint | null;
  readonly confirmationStatus: Commitment | null;
  readonly err: unknown;
}): SignatureStatus {
  const { slot, confirmations, confirmationStatus, err } = raw;
  return {
    slot,
    final: isFinal(confirmationStatus) || (confirmationStatus === null && confirmations === null),
    confirmations: Number(confirmations ?? 0n),
    failure: err === null ? null : jsonTextOf(err),
  };
}

function isFinal(commitment: Commitment | null): boolean {
  return commitment === 'finalized';
}
