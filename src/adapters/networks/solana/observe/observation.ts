// The results of one observation over all accounts, as values of the network port.
import type { Sighting } from '../../../../ports/networks/network-observer.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { AccountHistory } from './account-history.ts';
import type { ObserverPosition } from './position.ts';

export interface Observation {
  readonly position: ObserverPosition;
  readonly sightings: Sighting[];
  readonly unreadable: { readonly reason: string; readonly raw: string }[];
}

/** Adds the results of one account. */
export function gatherArrivals(
  { onTrouble }: SolanaChain,
  harvest: Observation,
  address: string,
  read: AccountHistory,
  ourToken: (arrival: AccountHistory['arrivals'][number]) => boolean,
): void {
  for (const arrival of read.arrivals) {
    const { mint, ...seen } = arrival;
    harvest.sightings.push({ ...seen, address, memo: null, ourToken: ourToken(arrival) });
  }
  harvest.unreadable.push(...read.unreadable);
  if (read.missing !== null)
    onTrouble('a transaction that is listed cannot be fetched', { hash: read.missing, address });
}
