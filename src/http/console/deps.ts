// What the console's routes give to the use-cases they call.
import type { BackOfficeDeps } from '../../app/back-office/manage-keys.ts';
import type { MembershipDeps } from '../../app/membership/membership-deps.ts';
import type { ProposalDeps } from '../../app/review/decide-proposal.ts';
import type { LedgerAudit } from '../../ports/ledger-audit.ts';
import type { Networks } from '../../ports/network/network.ts';
import type { AuditLog, AuditReads } from '../../ports/people/audit.ts';

export interface ConsoleDeps extends Omit<ProposalDeps, 'networks'> {
  readonly people: MembershipDeps;
  readonly audit: AuditLog & AuditReads;
  readonly networks: Networks;
  readonly ledgerAudit: Pick<LedgerAudit, 'listHalts'>;
  readonly backOffice: BackOfficeDeps['backOffice'];
}
