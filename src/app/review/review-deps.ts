// What reviews need: the store they commit to, the desk they read from, and what checks accounts and addresses.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { NetworkDescription, Networks } from '../../ports/networks/network.ts';
import type { NetworkWatch } from '../../ports/networks/watches.ts';
import type { ReviewDesk } from '../../ports/review-desk.ts';
import type { TreasuryWatch } from '../../ports/treasury.ts';
import type { Needs } from '../engine/deps.ts';

/** A command may know a network by its settings alone: then its chain is not read. */
export type ReviewedNetwork = NetworkDescription & Partial<Pick<NetworkWatch, 'finalTokens'>>;

export interface ReviewDeps extends Needs<'store' | 'clock' | 'entropy'> {
  readonly networks: Networks<ReviewedNetwork>;
  readonly reviewDesk: ReviewDesk;
  readonly treasuryWatch: Pick<TreasuryWatch, 'haltOf' | 'sendsByHash'>;
  /** The bank directory. */
  readonly banks: BankDirectory;
}
