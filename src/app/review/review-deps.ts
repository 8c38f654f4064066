// What reviews need: the store they commit to, the desk they read from, and what checks accounts and addresses.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { DescribedNetworks } from '../../ports/network/network.ts';
import type { ReviewDesk } from '../../ports/review-desk.ts';
import type { TreasuryWatch } from '../../ports/treasury-watch.ts';
import type { SettlementDeps } from '../settlement/context.ts';

export interface ReviewDeps extends Pick<SettlementDeps, 'store' | 'clock' | 'entropy'> {
  readonly networks: DescribedNetworks;
  readonly reviewDesk: ReviewDesk;
  readonly treasuryWatch: Pick<TreasuryWatch, 'haltOf' | 'sendsByHash'>;
  /** The bank directory. */
  readonly banks: BankDirectory;
}
