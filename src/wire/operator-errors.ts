// Defines which errors have a message for the operator. This is a separate file so that the command line can use it without
// loading the service.
import { EmbeddedError } from '../adapters/embedded/files/errors.ts';
import { MigrationError } from '../adapters/postgres/connection/migrate.ts';
import { ServerVersionError } from '../adapters/postgres/connection/server-version.ts';
import { ScreeningListError } from '../adapters/screening/list-lines.ts';
import { SecretsKeyError } from '../adapters/secrets/key-file.ts';
import { SecretUnreadableError } from '../adapters/secrets/secret-box.ts';
import { SettingsError } from '../adapters/settings-problems.ts';
import { KeyFileError } from '../adapters/signer/key-file-format.ts';

export function isOperatorError(error: unknown): boolean {
  return [
    EmbeddedError,
    MigrationError,
    ServerVersionError,
    ScreeningListError,
    KeyFileError,
    SecretsKeyError,
    SecretUnreadableError,
    SettingsError,
  ].some((kind) => error instanceof kind);
}
