// The dependencies of reviews: the store for reading and committing, and the checks of accounts and addresses.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { NetworkDescription, Networks } from '../../ports/networks/network.ts';
import type { NetworkWatch } from '../../ports/networks/network-watch.ts';
import type { ReviewStore } from '../../ports/review-store.ts';
import type { TreasuryWatch } from '../../ports/treasury.ts';
import type { PickDeps } from '../engine/deps.ts';

/** A command may know a network only from its settings. Then it cannot read the chain. */
export type ReviewedNetwork = NetworkDescription & Partial<Pick<NetworkWatch, 'finalTokens'>>;

export interface ReviewDeps extends PickDeps<'store' | 'clock' | 'entropy'> {
  readonly networks: Networks<ReviewedNetwork>;
  readonly reviewDesk: ReviewStore;
  readonly treasuryWatch: Pick<TreasuryWatch, 'haltOf' | 'sendsByHash'>;
  readonly banks: BankDirectory;
}
