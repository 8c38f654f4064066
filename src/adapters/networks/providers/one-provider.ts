// Caps what one provider alone can make us believe. A deposit below the amount from which two are asked counts by the word of
// one, as long as all such deposits of an hour stay below a cap; beyond it each needs two, like a large one.
import type { Mode } from '../../../domain/values/mode.ts';
import type { Network } from '../../../ports/network/network.ts';

type Sighting = Parameters<Network['confirm']>[0];

export interface WordOfOne extends Pick<Sighting, 'txHash' | 'txIndex' | 'amountMinor'> {
  readonly mode: Mode;
  readonly network: string;
}

/** Remembers for all processes what counted by the word of one provider. */
export interface OneProviderWords {
  /**
   * Whether one word is enough for this deposit. Asked again about the same one it answers the same; `now_needs_two` is said
   * once. What is granted is counted at once, before the deposit is: a crash in between counts too much and never too little.
   */
  grant(word: WordOfOne, perHourMinor: bigint): Promise<'granted' | 'now_needs_two' | 'needs_two'>;
}

export interface OneProviderCap {
  readonly mode: Mode;
  /** From this amount on the adapter asks two by itself; null: it never does. */
  readonly agreeFromMinor: bigint | null;
  readonly perHourMinor: bigint;
}

export function cappingOneProvider(
  network: Network,
  { mode, agreeFromMinor, perHourMinor }: OneProviderCap,
  words: OneProviderWords,
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
          'one provider has vouched for as much as it may in an hour: a deposit waits until two say the same',
          { network: network.name, mode, tx_hash: txHash },
        );
      return second;
    },
  };
}
