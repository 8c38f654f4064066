// How a transfer that was seen stands now. It is gone only when its transaction is final without it, or when its sender's
// place is taken for good by another: one that merely left its block can come back, and would then be missed.
import type { Hex } from 'viem';
import type { Network } from '../../../ports/network.ts';
import { ProviderFailure } from './answers.ts';
import type { EvmClient } from './client.ts';
import { type EvmContext, needsTwo } from './context.ts';
import { lower } from './contracts.ts';
import type { Origins } from './observe.ts';
import { requireCanonical } from './proof.ts';
import { isTransfer, readTransfer } from './transfers.ts';

export type Confirmation = 'pending' | 'final' | 'gone' | 'unknown';

interface Seen {
  readonly txHash: string;
  readonly txIndex: number;
  readonly amountMinor: bigint;
  /** Whom it went to, where the caller knows. */
  readonly address: string;
}

export function makeConfirm(context: EvmContext, origins: Origins): Network['confirm'] {
  const { settings, parts, providers } = context;

  const look = async (client: EvmClient, seen: Seen): Promise<Confirmation> => {
    const hash = seen.txHash as Hex;
    const origin = origins.get(hash);
    // First how far it is final, then the receipt: not the other way round.
    const [finalized, spent] = await Promise.all([
      client.block('finalized'),
      origin === undefined ? 0 : client.nonce(origin.from, 'finalized'),
    ]);
    if (finalized === null) throw new ProviderFailure('no block is final yet', true);
    const receipt = await client.receipt(hash);
    if (receipt === null) {
      if (origin !== undefined) return spent > origin.nonce ? 'gone' : 'pending';
      return (await client.transaction(hash)) === null ? 'unknown' : 'pending';
    }
    if (receipt.block > finalized.number) return 'pending';
    await requireCanonical(client, receipt);
    const log = receipt.logs[seen.txIndex];
    if (!receipt.success || !holds(log, seen)) return 'gone';
    // Another token of the same amount at the same place is not what was seen.
    return log?.address === context.token ? 'final' : 'unknown';
  };

  const holds = (log: Parameters<typeof readTransfer>[0] | undefined, { amountMinor, address }: Seen) => {
    if (log === undefined || !isTransfer(log)) return false;
    const transfer = readTransfer(log);
    if (typeof transfer === 'string' || transfer.amountMinor !== amountMinor) return false;
    return lower(address as Hex) === transfer.to;
  };

  return async (seen: Seen): Promise<Confirmation> => {
    try {
      const first = await providers.one((client) => look(client, seen));
      const doubted = first === 'gone' || (first === 'final' && needsTwo(context, seen.amountMinor));
      if (!doubted || providers.count === 1) return first;
      const said = await providers.agree(
        (client) => look(client, seen),
        (a, b) => a === b,
      );
      if (said.kind === 'agreed') return said.answer;
      if (said.kind === 'unconfirmed') return 'unknown';
      // One of them is behind the other.
      if (said.answers.includes('pending')) return 'pending';
      parts.onTrouble('providers contradict each other about a deposit', {
        network: settings.name,
        hash: seen.txHash,
        told: said.answers,
      });
      return 'unknown';
    } catch {
      return 'unknown';
    }
  };
}
