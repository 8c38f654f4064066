// Broadcasts signed bytes to all providers, and repeats this while their outcome is open. The same bytes pay only once, no matter
// how often they are sent. An error of a provider proves nothing.
import type { BroadcastOutcome, SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import { readPayload } from './envelope.ts';

/**
 * The interval between broadcasts of the same bytes. Providers are asked not to resend the bytes, so this process resends them.
 */
const OFFER_AGAIN_MS = 2_000;
const REMEMBERED = 10_000;
const OTHER_ANSWER = 'the provider answered with another signature';

export interface Broadcaster {
  offer(prepared: SignedTransaction): Promise<BroadcastOutcome>;
  /** Broadcasts the bytes again if this process broadcast them before, but not in the last two seconds. */
  offerAgain(prepared: SignedTransaction): Promise<void>;
}

export function makeBroadcaster({ providers, clock }: SolanaChain): Broadcaster {
  /**
   * The hashes that this process has broadcast, with the time of the last broadcast. A status query never broadcasts bytes for
   * the first time.
   */
  const broadcastAtMs = new Map<string, number>();

  const offer = async (prepared: SignedTransaction): Promise<BroadcastOutcome> => {
    rememberNewest(broadcastAtMs, prepared.hash, clock.now());
    const { wire } = readPayload(prepared);
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
      const last = broadcastAtMs.get(prepared.hash);
      if (last !== undefined && clock.now() - last >= OFFER_AGAIN_MS) await offer(prepared);
    },
  };
}

export function rememberNewest<Value>(
  known: Map<string, Value>,
  hash: string,
  value: Value,
  most: number = REMEMBERED,
): void {
  known.delete(hash);
  known.set(hash, value);
  if (known.size > most) known.delete(known.keys().next().value!);
}
