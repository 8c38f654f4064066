// Lists every command of the command line in the order of the help. Code for databases, networks and key files is loaded on
// demand, so that help, refusals and client commands start fast.
import { secretsKeyAdmin } from '../wire/admin/signer-admin.ts';
import type { Command } from './command.ts';
import { accountLookupCommands } from './commands/account-lookups.ts';
import { auditCommands } from './commands/audit/audit.ts';
import { businessCommands } from './commands/businesses.ts';
import { bankAccountCommand } from './commands/client/banks.ts';
import { createCommands } from './commands/client/create.ts';
import { eventCommands } from './commands/client/events.ts';
import { listenCommand } from './commands/client/listen.ts';
import { quoteCommand } from './commands/client/quote.ts';
import { serviceCommands } from './commands/client/serve.ts';
import { statusCommand } from './commands/client/status.ts';
import { transactionCommands } from './commands/client/transactions.ts';
import { triggerCommand } from './commands/client/trigger.ts';
import { completionCommand } from './commands/completion.ts';
import { feeCommands } from './commands/fees.ts';
import { haltCommands, incidentCommands } from './commands/incidents.ts';
import { keyCommands } from './commands/keys.ts';
import { ledgerCommands } from './commands/ledger/ledger.ts';
import { nairaCommands } from './commands/ledger/naira.ts';
import { limitCommands } from './commands/limits.ts';
import { matchingCommands } from './commands/matching.ts';
import { networkCommands } from './commands/networks.ts';
import { operationCommands } from './commands/operations.ts';
import { mailCommands, peopleCommands } from './commands/people/people.ts';
import { secretsCommands } from './commands/people/secrets.ts';
import { sessionCommands } from './commands/people/session.ts';
import { privacyCommands } from './commands/privacy.ts';
import { quoteCommands } from './commands/quotes.ts';
import { railCommands } from './commands/rails/rails.ts';
import { rateCommands } from './commands/rates/rates.ts';
import { holidayCommands } from './commands/reconciliation/holidays.ts';
import { reconcileCommands } from './commands/reconciliation/reconcile.ts';
import { thresholdCommand } from './commands/reconciliation/threshold.ts';
import { reviewCommands } from './commands/reviews.ts';
import { signerCommands } from './commands/signer.ts';
import { statementCommands } from './commands/statements/statements.ts';
import { treasuryCommands } from './commands/treasury.ts';
import { vendorCommands } from './commands/vendors.ts';
import { doctorCommand } from './doctor/command.ts';

export const COMMANDS: readonly Command[] = [
  ...serviceCommands,
  ...createCommands,
  quoteCommand,
  statusCommand,
  triggerCommand,
  listenCommand,
  ...eventCommands,
  ...transactionCommands,
  bankAccountCommand,
  ...sessionCommands(),
  ...peopleCommands(),
  ...mailCommands,
  ...businessCommands,
  ...keyCommands,
  ...vendorCommands,
  ...railCommands,
  ...rateCommands,
  ...quoteCommands,
  ...feeCommands,
  ...limitCommands,
  ...ledgerCommands,
  ...nairaCommands,
  ...haltCommands,
  ...reviewCommands,
  ...incidentCommands,
  ...reconcileCommands,
  ...holidayCommands,
  thresholdCommand,
  ...accountLookupCommands,
  ...privacyCommands,
  ...matchingCommands,
  ...statementCommands,
  ...treasuryCommands,
  ...networkCommands(async (config) =>
    (await import('../wire/networks/network-admin.ts')).makeNetworkAdmin(config),
  ),
  ...signerCommands(async (config) =>
    (await import('../wire/admin/signer-admin.ts')).makeSignerAdmin(config),
  ),
  ...auditCommands,
  ...secretsCommands(secretsKeyAdmin),
  ...operationCommands,
  doctorCommand(async (config) => (await import('../wire/admin/doctor-probes.ts')).makeDoctorProbes(config)),
  completionCommand(() => COMMANDS),
];
