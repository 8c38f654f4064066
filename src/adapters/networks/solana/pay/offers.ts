// Tells all providers of signed bytes, at first and again while they are open. The same bytes pay once however often they
// are sent; what a provider says against them proves nothing.
import type { BroadcastOutcome, Prepared } from '../../../../ports/network/pays.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import { readPayload } from './envelope.ts';

/** Providers do not keep offering bytes by themselves when told not to. */
const OFFER_AGAIN_MS = 2_000;
const REMEMBERED = 10_000;
const OTHER_ANSWER = 'the provider answered another signature';

export interface Offers {
  offer(prepared: Prepared): Promise<BroadcastOutcome>;
  /** If this process has told of them before, and not just now. */
  offerAgain(prepared: Prepared): Promise<void>;
}

export function makeOffers({ providers, clock }: SolanaChain): Offers {
  /** What this process has told the network of, and when last. Bytes nobody was told of are never sent by a question. */
  const told = new Map<string, number>();

  const offer = async (prepared: Prepared): Promise<BroadcastOutcome> => {
    remember(told, prepared.hash, clock.now());
    const { wire } = readPayload(prepared);
    // The first that takes it is enough of an answer.
    const taken = Promise.withResolvers<BroadcastOutcome>();
    const answers = providers.all(async (client) => {
      if ((await client.send(wire)) !== prepared.hash) throw new Error(OTHER_ANSWER);
      taken.resolve({ kind: 'accepted' });
    });
    const refused = answers.then(([first]): BroadcastOutcome => {
      const reason = first?.status === 'rejected' ? messageOf(first.reason) : OTHER_ANSWER;
      return { kind: 'unknown', reason };
    });
    return Promise.race([taken.promise, refused]);
  };

  return {
    offer,
    offerAgain: async (prepared) => {
      const last = told.get(prepared.hash);
      if (last !== undefined && clock.now() - last >= OFFER_AGAIN_MS) await offer(prepared);
    },
  };
}

/** The oldest are forgotten, so that it does not grow for ever. */
export function remember<Value>(known: Map<string, Value>, hash: string, value: Value): void {
  known.delete(hash);
  known.set(hash, value);
  if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
}
