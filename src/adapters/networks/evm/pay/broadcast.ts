// Tells every provider of signed bytes. What they say against it proves nothing: they differ in words, and some refuse what
// they already have. So the hash is asked for before it counts as unknown.
import type { Hex } from 'viem';
import type { Network } from '../../../../ports/network/network.ts';
import type { BroadcastOutcome } from '../../../../ports/network/pays.ts';
import { ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import { hashOf, readPayload } from './payload.ts';

export function makeBroadcast({ settings, parts, providers }: EvmContext): Network['broadcast'] {
  /** As soon as one of them says yes; the others are told all the same. */
  const anyOf = (work: (client: EvmClient) => Promise<boolean>): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = providers.all(async (client) => {
        if (await work(client)) resolve(true);
      });
      void asked.then(() => resolve(false));
    });
  const taken = (raw: Hex, hash: string) =>
    anyOf(async (client) => {
      try {
        return (await client.send(raw)) === hash;
      } catch (error) {
        // Reached and against it: that is an answer, and no reason to let the provider rest.
        if (error instanceof ProviderFailure && error.answered) return false;
        throw error;
      }
    });

  return async ({ hash, payload }): Promise<BroadcastOutcome> => {
    const { raw } = readPayload(payload);
    if (hashOf(raw) !== hash) {
      parts.onTrouble('stored bytes do not fit their hash', { network: settings.name, hash });
      return { kind: 'unknown', reason: 'the bytes do not fit the hash, and were not sent' };
    }
    if (await taken(raw, hash)) return { kind: 'accepted' };
    if (await anyOf(async (client) => (await client.transaction(hash as Hex)) !== null))
      return { kind: 'accepted' };
    return { kind: 'unknown', reason: 'no provider took it, and none knows it' };
  };
}
