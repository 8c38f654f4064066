// Finds the current state of a transfer that was seen earlier. A transfer is gone only if its final transaction does not
// contain it, or if a final block contains a different transaction with its sender's nonce. A transaction that only left its
// block can reappear, and a server that does not know the transaction proves nothing. A transfer with a different amount is not
// gone, because its final sighting has the correct amount. A final transfer counts only while its address holds the received
// amount.
import type { Hex } from 'viem';
import type { Network } from '../../../../ports/networks/network.ts';
import {
  type Confirmation,
  isShortDeposit,
  type PendingSighting,
} from '../../../../ports/networks/network-observer.ts';
import { type EvmLog, ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import { type EvmContext, needsTwoProviders } from '../rpc/context.ts';
import { lowerHex } from '../rpc/contracts.ts';
import { findNonceTaker, requireFinal } from '../rpc/nonce-taker.ts';
import { isTransfer, readTransfer, recipientOf } from '../rpc/transfers.ts';
import { readMissingAmount } from './holdings.ts';
import type { TransferOrigins } from './read-deposits.ts';

/** `changed` means that our token moved to the address, but with a different amount than the one seen. */
type TransferFinding = Confirmation | 'changed';

const MOST_REPORTED = 10_000;

export function makeConfirm(context: EvmContext, origins: TransferOrigins): Network['confirm'] {
  const { settings, parts, providers } = context;
  const reported = new Set<string>();

  const look = async (client: EvmClient, seen: PendingSighting): Promise<TransferFinding> => {
    const hash = seen.txHash as Hex;
    const origin = origins.get(hash);
    const finalized = await client.block('finalized');
    if (finalized === null) throw new ProviderFailure('no block is final yet', true);
    const receipt = await client.receipt(hash);
    if (receipt === null) {
      if (origin === undefined) return (await client.transaction(hash)) === null ? 'unknown' : 'pending';
      const taker = await findNonceTaker(client, origin, finalized);
      return taker === undefined || taker.hash === hash ? 'pending' : 'gone';
    }
    if (receipt.hash !== hash) throw new ProviderFailure('a receipt is about another transaction', true);
    if (receipt.block > finalized.number) return 'pending';
    await requireFinal(client, receipt, finalized);
    const found = receipt.success ? compareTransfer(context, receipt.logs[seen.txIndex], seen) : 'gone';
    if (found !== 'final') return found;
    const missingMinor = await readMissingAmount(context, client, seen, receipt.block, finalized);
    return missingMinor > 0n ? { missingMinor } : 'final';
  };

  const confirmationOf = (look: TransferFinding, { txHash, txIndex }: PendingSighting): Confirmation => {
    if (look !== 'changed') return look;
    const identity = `${txHash} ${txIndex}`;
    if (reported.size > MOST_REPORTED) reported.clear();
    if (!reported.has(identity)) {
      reported.add(identity);
      const detail = { network: settings.name, hash: txHash };
      parts.onTrouble('the amount of a deposit changed after it was seen', detail);
    }
    return 'unknown';
  };

  return async (seen: PendingSighting, how): Promise<Confirmation> => {
    try {
      const first = await providers.one((client) => look(client, seen));
      const large = how?.byTwo === true || needsTwoProviders(context, seen.amountMinor);
      const doubted = first === 'gone' || isShortFinding(first) || (first === 'final' && large);
      if (!doubted || providers.count === 1) return confirmationOf(first, seen);
      const said = await providers.agree(
        (client) => look(client, seen),
        (a, b) => a === b || (isShortFinding(a) && isShortFinding(b)),
      );
      if (said.kind === 'agreed') return confirmationOf(said.answer, seen);
      if (said.kind === 'unconfirmed') return 'unknown';
      // One of the providers lags behind.
      if (said.answers.includes('pending')) return 'pending';
      parts.onTrouble('providers contradict each other about a deposit', {
        network: settings.name,
        hash: seen.txHash,
        answers: said.answers.map((each) => (isShortFinding(each) ? 'short' : each)),
      });
      return 'unknown';
    } catch {
      return 'unknown';
    }
  };
}

function isShortFinding(look: TransferFinding): boolean {
  return look !== 'changed' && isShortDeposit(look);
}

function compareTransfer(
  { token }: EvmContext,
  log: EvmLog | undefined,
  { address, amountMinor }: PendingSighting,
): TransferFinding {
  if (log === undefined || !isTransfer(log) || recipientOf(log) !== lowerHex(address as Hex)) return 'gone';
  const transfer = readTransfer(log);
  const movedMinor = typeof transfer === 'string' ? null : transfer.amountMinor;
  const ourToken = log.address === token;
  // If the same amount of a different token is at the same index, it is not the transfer that was seen.
  if (movedMinor === amountMinor) return ourToken ? 'final' : 'unknown';
  // A transfer of zero is not a deposit and is never reported as one.
  return ourToken && movedMinor !== 0n ? 'changed' : 'gone';
}
