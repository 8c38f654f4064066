// Broadcasts signed bytes and reports their outcome. An order may be signed again after a failure or a proof that the bytes are
// dead. So both need two providers if two are configured. After every other doubtful result the payment stays open.
import { DeathProof } from '../../../../domain/movements/proof-of-death.ts';
import type { Network } from '../../../../ports/networks/network.ts';
import type { Envelope, SendStatus, SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import { amountNeedsTwoProviders } from '../../settings/settings.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import { makeBroadcaster, rememberNewest } from './broadcaster.ts';
import { movedMinor, readPayload } from './envelope.ts';
import type { PriorityFees } from './priority-fees.ts';
import { type ProviderEvidence, readEvidence, sameEvidence } from './provider-evidence.ts';

/** `fees` is notified when a payment expires. */
export function makeBroadcastAndAsk(
  chain: SolanaChain,
  fees: Pick<PriorityFees, 'expired'>,
): Pick<Network, 'broadcast' | 'ask' | 'shows'> {
  const { providers, onTrouble } = chain;
  const { offer, offerAgain } = makeBroadcaster(chain);
  const warn = makeWarnings(onTrouble);

  const settled = async (prepared: SignedTransaction, word: ProviderEvidence): Promise<SendStatus> => {
    const oneIsEnough = !amountNeedsTwoProviders(chain.settings, movedMinor(readPayload(prepared)));
    if (word.kind === 'final' && oneIsEnough) return statusOf(prepared, word);
    const words: ProviderEvidence[] = [];
    const agreement = await providers.agree(async (client, provider) => {
      words.push(await readEvidence(chain, client, provider, prepared));
      return words.at(-1)!;
    }, sameEvidence);
    if (agreement.kind === 'agreed' && agreement.answer.kind === 'expired') return ended(prepared, words);
    if (agreement.kind === 'agreed') return statusOf(prepared, agreement.answer);
    if (agreement.kind === 'unconfirmed')
      return { kind: 'unknown', reason: 'a second provider has not answered' };
    const kinds = agreement.answers.map(({ kind }) => kind);
    const status = statusOfDiffering(prepared, agreement.answers, oneIsEnough);
    if (status !== undefined) return status;
    warn('providers disagree about the outcome of a payment', prepared, { answers: kinds.join(', ') });
    return { kind: 'unknown', reason: `the providers disagree: ${kinds.join(', ')}` };
  };

  /** Every provider reports that the bytes did not land. Together these responses may prove it. */
  const ended = (prepared: SignedTransaction, words: readonly ProviderEvidence[]): SendStatus => {
    const expired = words.filter((word) => word.kind === 'expired');
    const facts = { lastBlock: expired[0]?.blockhash ?? null, lastValidBlockHeight: prepared.bound };
    const death = DeathProof.byAbsence(
      expired.map(({ absence }) => absence),
      providers.count,
      facts,
    );
    if (death === undefined) return { kind: 'pending' };
    fees.expired(BigInt(readPayload(prepared).price ?? 0));
    return { kind: 'dead', death };
  };

  const ask = async ({ versions }: Envelope): Promise<SendStatus> => {
    // There is only one version, because a payment that does not land expires.
    const prepared = versions.at(-1)!;
    const word = await providers.one((client, provider) => readEvidence(chain, client, provider, prepared));
    if (word.kind === 'absent') await offerAgain(prepared);
    if (word.kind === 'absent' || word.kind === 'included') return statusOf(prepared, word);
    if (word.kind === 'doubtful' || word.kind === 'forgotten')
      warn('the outcome of a payment is unknown', prepared, { reason: word.reason });
    return word.kind === 'doubtful' ? statusOf(prepared, word) : settled(prepared, word);
  };

  return {
    broadcast: offer,
    shows: async ({ versions }) => {
      const hashes = versions.map(({ hash }) => hash);
      const answers = await providers.every((client) => client.statuses(hashes));
      return answers.some(({ found }) => found.some((status) => status !== null && status.failure === null));
    },
    ask: async (envelope) => {
      try {
        return await ask(envelope);
      } catch (error) {
        return { kind: 'unknown', reason: messageOf(error) };
      }
    },
  };
}

function makeWarnings(onTrouble: SolanaChain['onTrouble']) {
  const warned = new Map<string, string>();
  return (message: string, { hash }: SignedTransaction, detail: Readonly<Record<string, string>>) => {
    const text = JSON.stringify([message, detail]);
    if (warned.get(hash) === text) return;
    rememberNewest(warned, hash, text);
    onTrouble(message, { hash, ...detail });
  };
}

/** Undefined means that the responses contradict each other and a lagging provider is not the explanation. */
function statusOfDiffering(
  prepared: SignedTransaction,
  answers: readonly ProviderEvidence[],
  oneIsEnough: boolean,
): SendStatus | undefined {
  const kinds = answers.map(({ kind }) => kind);
  // A provider that no longer has the old blocks does not contradict a provider that has them.
  const final = answers.find(({ kind }) => kind === 'final');
  if (final !== undefined && kinds.includes('forgotten') && oneIsEnough) return statusOf(prepared, final);
  // One provider is behind and will give the same response later.
  if (kinds.includes('included')) return { kind: 'included', confirmations: 1 };
  if (kinds.includes('absent') && !kinds.includes('final') && !kinds.includes('failed'))
    return { kind: 'pending' };
  return undefined;
}

/** The status according to one provider's response. The status `dead` needs more than one response. */
function statusOf({ hash }: SignedTransaction, word: ProviderEvidence): SendStatus {
  switch (word.kind) {
    case 'absent':
      return { kind: 'pending' };
    case 'included':
      return word;
    case 'forgotten':
      return { kind: 'unknown', reason: `it is not proven that the payment did not land: ${word.reason}` };
    case 'doubtful':
      return { kind: 'unknown', reason: word.reason };
    case 'expired':
      return { kind: 'pending' };
    case 'failed': {
      const { failure: reason, cost, culprits } = word;
      return { kind: 'failed', reason, cost, ...(culprits !== undefined && { culprits }) };
    }
    case 'final':
      return { kind: 'final', hash, evidence: { slot: `${word.slot}` }, unpaid: [], cost: word.cost };
  }
}
