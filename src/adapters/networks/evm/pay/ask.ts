// Finds the outcome of an envelope. A result that leads to a new signature or to a review counts only if two providers both
// prove it. The same applies to payments from a certain amount on. A payment never has the status `dead` here, because signed
// bytes do not expire.
import type { Hex } from 'viem';
import type { Network } from '../../../../ports/networks/network.ts';
import type { Envelope, SendStatus } from '../../../../ports/networks/network-payer.ts';
import type { ProviderAgreement } from '../../providers/providers.ts';
import type { EvmClient } from '../rpc/client.ts';
import { type EvmContext, needsTwoProviders } from '../rpc/context.ts';
import {
  type EnvelopeStanding,
  readEnvelopeStanding,
  sameEnvelopeStanding,
} from '../rpc/envelope-standing.ts';
import type { NonceTaker } from '../rpc/nonce-taker.ts';
import { outcomeOfReceipt } from './landed.ts';
import { newestVersionOf, readPayload, totalOfEnvelope } from './payload.ts';

type ProveStanding = (client: EvmClient) => Promise<EnvelopeStanding>;

export function displacedReason({ hash, block }: NonceTaker): string {
  return `its nonce was used by a transaction that was not signed here: ${hash} in block ${block}`;
}

/**
 * Reads the state of the envelope from one provider. If the servers of that provider lag behind each other, a different
 * provider may show more.
 */
async function readFurthestStanding(
  { providers }: EvmContext,
  prove: ProveStanding,
): Promise<EnvelopeStanding> {
  const first = await providers.one(prove);
  if (first.kind !== 'unseen' || providers.count === 1) return first;
  const said = await providers.agree(prove, sameEnvelopeStanding);
  return said.kind === 'differ' ? (said.answers.find(({ kind }) => kind !== 'unseen') ?? first) : said.answer;
}

export function makeAsk(context: EvmContext): Network['ask'] {
  const { settings, parts, providers, treasury } = context;

  const statusOf = (envelope: Envelope, standing: EnvelopeStanding): SendStatus => {
    switch (standing.kind) {
      case 'landed': {
        const { receipt, finalizedBlock } = standing;
        const version = envelope.versions.find(({ hash }) => hash === receipt.hash)!;
        return outcomeOfReceipt(context, readPayload(version.payload), receipt, finalizedBlock);
      }
      case 'spent':
        return { kind: 'held', reason: displacedReason(standing.by) };
      case 'unseen':
        return {
          kind: 'unknown',
          reason: 'its nonce is used, and no provider shows by which transaction: a provider is behind',
        };
      case 'included':
        return { kind: 'included', confirmations: standing.confirmations };
      case 'open': {
        // A payment with a later nonce waits for the payments with earlier nonces, so a higher fee would not help.
        const waitedMs = parts.clock.now() - newestVersionOf(envelope).signedAtMs;
        return { kind: standing.itsTurn && waitedMs > settings.stuckAfterMs ? 'stuck' : 'pending' };
      }
    }
  };

  /** One provider is enough for a status that can still change, and for a small payment that was paid. */
  const isEnough = (envelope: Envelope, status: SendStatus): boolean => {
    if (status.kind === 'failed' || (status.kind === 'final' && status.unpaid.length > 0)) return false;
    if (providers.count === 1) return true;
    if (status.kind === 'final') return !needsTwoProviders(context, totalOfEnvelope(envelope));
    return status.kind !== 'held' && status.kind !== 'stuck';
  };

  /** A provider that lags behind must not cause a new signature for a payment that is already on the chain. */
  const notStuck = (agreement: ProviderAgreement<EnvelopeStanding>): SendStatus =>
    agreement.kind === 'unconfirmed' ? { kind: 'stuck' } : { kind: 'pending' };

  const look = async (envelope: Envelope): Promise<SendStatus> => {
    const prove =
      (linked: boolean): ProveStanding =>
      (client) =>
        readEnvelopeStanding(client, treasury, envelope, parts.clock.now(), linked);
    const first = await readFurthestStanding(context, prove(false));
    const status = statusOf(envelope, first);
    if (isEnough(envelope, status)) return status;
    const agreement = await providers.agree(prove(true), sameEnvelopeStanding);
    if (agreement.kind === 'agreed') return statusOf(envelope, agreement.answer);
    if (status.kind === 'stuck') return notStuck(agreement);
    if (agreement.kind === 'differ')
      return statusOfContradiction(context, envelope, first, agreement.answers);
    return { kind: 'unknown', reason: 'only one provider answers, and two are needed' };
  };

  return async (envelope) => {
    try {
      return await look(envelope);
    } catch (error) {
      return { kind: 'unknown', reason: (error as Error).message };
    }
  };
}

/** A version that only cancels the nonce pays nothing, so it does not count. */
export function makeShows({ providers }: EvmContext): Network['shows'] {
  return async ({ versions }) => {
    const paying = versions.filter(({ payload }) => readPayload(payload).kind !== 'cancel');
    const answers = await providers.every((client) =>
      Promise.all(paying.map(({ hash }) => client.receipt(hash as Hex))),
    );
    return answers.flat().some((receipt) => receipt?.success === true);
  };
}

/**
 * The status when the providers disagree. One provider may only be behind. In every other case the service warns an operator.
 */
function statusOfContradiction(
  { settings, parts }: EvmContext,
  envelope: Envelope,
  first: EnvelopeStanding,
  answers: readonly EnvelopeStanding[],
): SendStatus {
  if (answers.some(({ kind }) => kind === 'unseen'))
    return { kind: 'unknown', reason: 'a provider is behind' };
  const other = answers.find((each) => !sameEnvelopeStanding(each, first));
  const height = first.kind === 'landed' ? first.receipt.block : first.finalizedBlock;
  if (other !== undefined && other.finalizedBlock < height) {
    if (other.kind === 'included') return { kind: 'included', confirmations: other.confirmations };
    return { kind: 'unknown', reason: 'a provider is behind' };
  }
  const kinds = answers.map(({ kind }) => kind);
  parts.onTrouble('providers contradict each other about a payment', {
    network: settings.name,
    hash: envelope.versions[0]?.hash,
    answers: kinds,
  });
  return { kind: 'unknown', reason: `the providers contradict each other: ${kinds.join(', ')}` };
}
