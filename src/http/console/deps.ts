// What the console's routes give to the use-cases they call.
import type { BackOfficeDeps } from '../../app/back-office/manage-keys.ts';
import type { MembershipDeps } from '../../app/membership/membership-deps.ts';
import type { ProviderDeps } from '../../app/people/sign-in-with-provider.ts';
import type { ProposalDeps } from '../../app/review/decide-proposal.ts';
import type { LedgerAudit } from '../../ports/ledger-audit.ts';
import type { Networks } from '../../ports/network/network.ts';
import type { AuditLog, AuditReads } from '../../ports/people/audit.ts';
import type { ProviderUnavailable } from '../../ports/people/identity-provider.ts';

export interface ConsoleDeps extends Omit<ProposalDeps, 'networks'> {
  readonly people: MembershipDeps;
  readonly audit: AuditLog & AuditReads;
  readonly networks: Networks;
  readonly ledgerAudit: Pick<LedgerAudit, 'listHalts'>;
  readonly backOffice: BackOfficeDeps['backOffice'];
  /** Null: people sign in with passwords only. */
  readonly identityProvider: ConsoleProvider | null;
}

export interface ConsoleProvider extends Pick<ProviderDeps, 'provider' | 'providerStore'> {
  /** The route that leads to the provider, at the host that the provider sends the browser back to: a cookie is of one host. */
  readonly startUrl: string;
  readonly onUnavailable: (error: ProviderUnavailable, requestId: string) => void;
}
