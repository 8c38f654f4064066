// Tells the network of signed bytes, and says what became of them. Whatever could make an order be signed again, death or
// failure, takes two providers where there are two; everything else that is doubtful stays open.
import { Death } from '../../../../domain/movements/proof-of-death.ts';
import type { Network } from '../../../../ports/network/network.ts';
import type { Envelope, Prepared, SendStatus } from '../../../../ports/network/pays.ts';
import { messageOf, needsTwo, type SolanaChain } from '../rpc/chain.ts';
import { movedMinor, readPayload } from './envelope.ts';
import type { Fees } from './fees.ts';
import { makeOffers, remember } from './offers.ts';
import { sameWord, type Word, wordOf } from './proof.ts';

/** `fees` hears of what expired. */
export function makeSending(
  chain: SolanaChain,
  fees: Pick<Fees, 'expired'>,
): Pick<Network, 'broadcast' | 'ask'> {
  const { providers, onTrouble } = chain;
  const { offer, offerAgain } = makeOffers(chain);
  /** Asked again and again, one thing is said once. */
  const warned = new Map<string, string>();
  const warn = (message: string, { hash }: Prepared, detail: Readonly<Record<string, string>>) => {
    const text = JSON.stringify([message, detail]);
    if (warned.get(hash) === text) return;
    remember(warned, hash, text);
    onTrouble(message, { hash, ...detail });
  };

  const settled = async (prepared: Prepared, word: Word): Promise<SendStatus> => {
    const oneIsEnough = !needsTwo(chain, movedMinor(readPayload(prepared)));
    if (word.kind === 'final' && oneIsEnough) return statusOf(prepared, word);
    const words: Word[] = [];
    const agreement = await providers.agree(async (client, provider) => {
      words.push(await wordOf(chain, client, provider, prepared));
      return words.at(-1)!;
    }, sameWord);
    if (agreement.kind === 'agreed' && agreement.answer.kind === 'expired') return ended(prepared, words);
    if (agreement.kind === 'agreed' && agreement.answer.kind !== 'forgotten')
      return statusOf(prepared, agreement.answer);
    if (agreement.kind === 'unconfirmed')
      return { kind: 'unknown', reason: 'a second provider has not answered' };
    const answers = agreement.kind === 'differ' ? agreement.answers : [agreement.answer];
    const kinds = answers.map(({ kind }) => kind);
    // A provider without a memory contradicts nobody.
    const final = answers.find(({ kind }) => kind === 'final');
    if (final !== undefined && kinds.includes('forgotten') && oneIsEnough) return statusOf(prepared, final);
    // One of them is behind, and will come to say the same.
    if (kinds.includes('included')) return { kind: 'included', confirmations: 1 };
    if (kinds.includes('absent') && !kinds.includes('final') && !kinds.includes('failed'))
      return { kind: 'pending' };
    warn('providers cannot settle what became of a payment', prepared, { answers: kinds.join(', ') });
    return { kind: 'unknown', reason: `the providers say: ${kinds.join(', ')}` };
  };

  /** Every word is that they are not there; together they may prove it. */
  const ended = (prepared: Prepared, words: readonly Word[]): SendStatus => {
    const expired = words.filter((word) => word.kind === 'expired');
    const facts = { finalizedHeight: `${expired[0]?.height}`, lastValidBlockHeight: prepared.bound };
    const death = Death.byAbsence(
      expired.map(({ absence }) => absence),
      providers.count,
      facts,
    );
    if (death === undefined) return { kind: 'pending' };
    fees.expired(BigInt(readPayload(prepared).price ?? 0));
    return { kind: 'dead', death };
  };

  const ask = async ({ versions }: Envelope): Promise<SendStatus> => {
    // There is never more than one: a payment that is not taken ends by its own bound.
    const prepared = versions.at(-1)!;
    const word = await providers.one((client, provider) => wordOf(chain, client, provider, prepared));
    if (word.kind === 'absent') await offerAgain(prepared);
    if (word.kind === 'absent' || word.kind === 'included') return statusOf(prepared, word);
    if (word.kind !== 'doubtful') return settled(prepared, word);
    warn('what became of a payment cannot be told', prepared, { reason: word.reason });
    return statusOf(prepared, word);
  };

  return {
    broadcast: offer,
    ask: async (envelope) => {
      try {
        return await ask(envelope);
      } catch (error) {
        return { kind: 'unknown', reason: messageOf(error) };
      }
    },
  };
}

/** What one word makes of it. That it is dead takes more than a word. */
function statusOf({ hash }: Prepared, word: Word): SendStatus {
  switch (word.kind) {
    case 'absent':
      return { kind: 'pending' };
    case 'included':
      return word;
    case 'forgotten':
      return { kind: 'unknown', reason: 'the provider does not know all of the time in which it could land' };
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
