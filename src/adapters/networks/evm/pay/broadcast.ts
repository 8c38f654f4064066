// Broadcasts signed bytes to every provider. An error proves nothing, because error texts differ between providers, and some
// refuse bytes that they already have. So the hash is looked up before the outcome is reported as unknown.
import type { Hex } from 'viem';
import type { Network } from '../../../../ports/networks/network.ts';
import type { BroadcastOutcome } from '../../../../ports/networks/network-payer.ts';
import { ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import { hashSignedBytes, readPayload } from './payload.ts';

export function makeBroadcast({ settings, parts, providers }: EvmContext): Network['broadcast'] {
  /** Resolves as soon as one provider accepts. The bytes are sent to the other providers as well. */
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
        // The provider was reached and refused. That is a response, not a failure of the provider.
        if (error instanceof ProviderFailure && error.answered) return false;
        throw error;
      }
    });

  return async ({ hash, payload }): Promise<BroadcastOutcome> => {
    const { raw } = readPayload(payload);
    if (hashSignedBytes(raw) !== hash) {
      parts.onTrouble('the stored bytes do not match their hash', { network: settings.name, hash });
      return { kind: 'unknown', reason: 'the bytes do not match the hash, and were not sent' };
    }
    if (await taken(raw, hash)) return { kind: 'accepted' };
    if (await anyOf(async (client) => (await client.transaction(hash as Hex)) !== null))
      return { kind: 'accepted' };
    return { kind: 'unknown', reason: 'no provider accepted it, and no provider knows it' };
  };
}
