// Every command of the command line, in the order of its help.
import { networksDesk, secretsDesk, signerDesk } from '../wire.ts';
import type { Command } from './command.ts';
import { businessCommands } from './commands/businesses.ts';
import { feeCommands } from './commands/fees.ts';
import { incidentCommands } from './commands/incidents.ts';
import { keyCommands } from './commands/keys.ts';
import { ledgerCommands } from './commands/ledger.ts';
import { limitCommands } from './commands/limits.ts';
import { networkCommands } from './commands/networks.ts';
import { operationCommands } from './commands/operations.ts';
import { auditCommands } from './commands/people/audit.ts';
import { mailCommands } from './commands/people/mails.ts';
import { peopleCommands } from './commands/people/people.ts';
import { secretsCommands } from './commands/people/secrets.ts';
import { sessionCommands } from './commands/people/session.ts';
import { rateCommands } from './commands/rates.ts';
import { reviewCommands } from './commands/reviews.ts';
import { signerCommands } from './commands/signer.ts';
import { treasuryCommands } from './commands/treasury.ts';
import { vendorCommands } from './commands/vendors.ts';

export const COMMANDS: readonly Command[] = [
  ...sessionCommands(),
  ...peopleCommands(),
  ...mailCommands,
  ...businessCommands,
  ...keyCommands,
  ...vendorCommands,
  ...rateCommands,
  ...feeCommands,
  ...limitCommands,
  ...ledgerCommands,
  ...reviewCommands,
  ...incidentCommands,
  ...treasuryCommands,
  ...networkCommands(networksDesk),
  ...signerCommands(signerDesk),
  ...auditCommands,
  ...secretsCommands(secretsDesk),
  ...operationCommands,
];
