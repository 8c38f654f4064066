// Caps the deposits that one provider confirms alone. Below the amount that needs two providers, one response confirms a
// deposit, as long as the sum of such deposits in an hour stays below a cap. Above the cap each deposit needs two responses, as
// a large deposit always does.
import type { Mode } from '../../../domain/values/mode.ts';
import type { Network } from '../../../ports/networks/network.ts';

type DepositSighting = Parameters<Network['confirm']>[0];

export interface OneProviderDeposit extends Pick<DepositSighting, 'txHash' | 'txIndex' | 'amountMinor'> {
  readonly mode: Mode;
  readonly network: string;
}

/** Stores, for all processes, which deposits one provider confirmed alone. */
export interface OneProviderDeposits {
  /**
   * Whether one response is enough for this deposit. Repeated calls for the same deposit return the same result, except that
   * `now_needs_two` is returned only once. A grant is counted before the deposit is confirmed. If the process crashes in
   * between, the count may be too high, but never too low.
   */
  grant(word: OneProviderDeposit, perHourMinor: bigint): Promise<'granted' | 'now_needs_two' | 'needs_two'>;
}

export interface OneProviderCap {
  readonly mode: Mode;
  /** From this amount on, the adapter always asks two providers. Null means that it never does. */
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
