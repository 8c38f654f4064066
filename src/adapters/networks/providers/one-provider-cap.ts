// Caps the deposits that count by the answer of one provider alone. A deposit below the amount that needs two providers counts
// by one answer, as long as all such deposits of an hour stay below a cap; above the cap each needs two, like a large one.
import type { Mode } from '../../../domain/values/mode.ts';
import type { Network } from '../../../ports/networks/network.ts';

type DepositSighting = Parameters<Network['confirm']>[0];

export interface OneProviderDeposit extends Pick<DepositSighting, 'txHash' | 'txIndex' | 'amountMinor'> {
  readonly mode: Mode;
  readonly network: string;
}

/** Remembers for all processes which deposits counted by the answer of one provider. */
export interface OneProviderDeposits {
  /**
   * Whether one answer is enough for this deposit. Asked again about the same deposit it answers the same; `now_needs_two` is
   * answered once. A grant is counted at once, before the deposit is: a crash in between counts too much and never too little.
   */
  grant(word: OneProviderDeposit, perHourMinor: bigint): Promise<'granted' | 'now_needs_two' | 'needs_two'>;
}

export interface OneProviderCap {
  readonly mode: Mode;
  /** From this amount on the adapter asks two providers by itself; null: it never does. */
  readonly agreeFromMinor: bigint | null;
  readonly perHourMinor: bigint;
}

export function capOneProviderDeposits(
  network: Network,
  { mode, agreeFromMinor, perHourMinor }: OneProviderCap,
  words: OneProviderDeposits,
  onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void,
): Network {
  return {
    ...network,
    confirm: async (sighting, how) => {
      const answer = await network.confirm(sighting, how);
      const { txHash, txIndex, amountMinor } = sighting;
      const byTwo = how?.byTwo === true || (agreeFromMinor !== null && amountMinor >= agreeFromMinor);
      if (answer !== 'final' || byTwo) return answer;
      const word = { mode, network: network.name, txHash, txIndex, amountMinor };
      const granted = await words.grant(word, perHourMinor);
      if (granted === 'granted') return answer;
      const second = await network.confirm(sighting, { byTwo: true });
      if (second !== 'final' && granted === 'now_needs_two')
        onTrouble(
          'deposits confirmed by one provider have reached the hourly limit: the next ones need two providers',
          { network: network.name, mode, tx_hash: txHash },
        );
      return second;
    },
  };
}
