// Checks whether a wallet can receive the token, with a call that sends no transaction. The wallet is the cause of a refusal only
// if the same transfer to an unused address would succeed.
import { type Hex, keccak256, stringToBytes } from 'viem';
import type { Network } from '../../../../ports/networks/network.ts';
import { ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import { balanceOf, lowerHex, transferCall } from '../rpc/contracts.ts';

const UNUSED: Hex = `0x${keccak256(stringToBytes('an unused wallet')).slice(26)}`;

export function makeRecipientReady({ providers, treasury, token }: EvmContext): Network['recipientReady'] {
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
    // If the treasury holds less than the payment, the call would fail for every wallet. So the check uses an amount that the
    // treasury has.
    const question = balanceOf(treasury);
    const held = question.read(await client.call({ from: treasury, to: token, data: question.data }));
    const tried = held < amountMinor ? held : amountMinor;
    if (await goes(client, to, tried)) return 'ready';
    return (await goes(client, UNUSED, tried)) ? 'refused' : 'unknown';
  };

  return async ({ to, amountMinor, from }) => {
    if (from !== null) return 'ready';
    try {
      const wallet = lowerHex(to as Hex);
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
