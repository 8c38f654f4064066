// Whether the token would go to a wallet, tried without sending anything. A refusal is the wallet's own only when the same
// transfer to nobody in particular would go.
import { type Hex, keccak256, stringToBytes } from 'viem';
import type { Network } from '../../../../ports/network/network.ts';
import { ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import { balanceOf, lower, transferCall } from '../rpc/contracts.ts';

/** An address nobody has a key for, and nobody has heard of. */
const NOBODY: Hex = `0x${keccak256(stringToBytes('a wallet of nobody')).slice(26)}`;

export function makeReady({ providers, treasury, token }: EvmContext): Network['recipientReady'] {
  const goes = async (client: EvmClient, to: Hex, amountMinor: bigint): Promise<boolean> => {
    try {
      const answer = await client.call({ from: treasury, to: token, data: transferCall(to, amountMinor) });
      return answer === '0x' || BigInt(answer) === 1n;
    } catch (error) {
      if (error instanceof ProviderFailure && error.answered) return false;
      throw error;
    }
  };
  const look = async (client: EvmClient, to: Hex, amountMinor: bigint) => {
    if (await goes(client, to, amountMinor)) return 'ready';
    // With less in the treasury than the payment no wallet would do: what matters is the wallet.
    const question = balanceOf(treasury);
    const held = question.read(await client.call({ from: treasury, to: token, data: question.data }));
    const tried = held < amountMinor ? held : amountMinor;
    if (await goes(client, to, tried)) return 'ready';
    return (await goes(client, NOBODY, tried)) ? 'refused' : 'unknown';
  };

  return async ({ to, amountMinor, from }) => {
    if (from !== null) return 'ready';
    try {
      const wallet = lower(to as Hex);
      const first = await providers.one((client) => look(client, wallet, amountMinor));
      if (first !== 'refused') return first;
      const second = await providers.agree(
        (client) => look(client, wallet, amountMinor),
        (a, b) => a === b,
      );
      return second.kind === 'agreed' ? second.answer : 'unknown';
    } catch {
      return 'unknown';
    }
  };
}
