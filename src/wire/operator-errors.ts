// Which failures carry a message that is written for the operator. In a file of its own: the command line asks it without
// loading the service.

import { BankChargesError } from '../adapters/bank-charges/file.ts';
import { BankSettingsError } from '../adapters/banks/settings/problems.ts';
import { EmbeddedError } from '../adapters/embedded/files/errors.ts';
import { NetworkSettingsError } from '../adapters/networks/settings/file.ts';
import { MigrationError } from '../adapters/postgres/connection/migrate.ts';
import { ServerVersionError } from '../adapters/postgres/connection/server-version.ts';
import { RateSettingsError } from '../adapters/rates/settings/problems.ts';
import { ScreeningListError } from '../adapters/screening/list-lines.ts';
import { SecretsKeyError } from '../adapters/secrets/key-file.ts';
import { SecretUnreadable } from '../adapters/secrets/secret-box.ts';
import { KeyFileError } from '../adapters/signer/key-file-error.ts';
import { ProfileError } from '../adapters/statements/csv/profile.ts';

export function isOperatorError(error: unknown): boolean {
  return [
    EmbeddedError,
    MigrationError,
    ServerVersionError,
    ScreeningListError,
    KeyFileError,
    SecretsKeyError,
    SecretUnreadable,
    NetworkSettingsError,
    RateSettingsError,
    BankSettingsError,
    BankChargesError,
    ProfileError,
  ].some((kind) => error instanceof kind);
}
