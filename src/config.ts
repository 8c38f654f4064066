// The environment, read once into one typed value; each subject reads its own settings in config/. A start with mistakes stops
// and lists all of them. Every setting is described in config.example.env.
import { type AuditConfig, readAuditConfig } from './config/audit.ts';
import { type DatabaseConfig, readDatabaseConfig } from './config/database.ts';
import { type IdentityProviderConfig, readIdentityProviderConfig } from './config/identity-provider.ts';
import { type IntakeConfig, readIntakeConfig } from './config/intake.ts';
import { type LimitsConfig, readLimitsConfig } from './config/limits.ts';
import { type MailConfig, readMailConfig } from './config/mail.ts';
import { type NetworksConfig, readNetworksConfig } from './config/networks.ts';
import { readSandboxConfig, type SandboxConfig } from './config/sandbox.ts';
import { readSecretsConfig, type SecretsConfig } from './config/secrets.ts';
import { readServerConfig, type ServerConfig } from './config/server.ts';
import { ConfigError, type Environment, SettingReader } from './config/setting-reader.ts';
import { readSettlementConfig, type SettlementConfig } from './config/settlement.ts';

export type { LogLevel } from './config/server.ts';
export { ConfigError };

export interface Config
  extends ServerConfig,
    DatabaseConfig,
    SecretsConfig,
    IdentityProviderConfig,
    IntakeConfig,
    LimitsConfig,
    NetworksConfig,
    SettlementConfig,
    AuditConfig,
    MailConfig,
    SandboxConfig {}

export function readConfig(env: Environment): Config {
  const settings = new SettingReader(env);
  const config = readSubjects(settings);
  if (settings.mistakes.length > 0) throw new ConfigError(settings.mistakes.join('\n'));
  return config;
}

/** Every setting that is read, in the order of config.example.env. */
export function settingNames(): string[] {
  const settings = new SettingReader({});
  readSubjects(settings);
  return [...settings.names];
}

/** In the order of config.example.env. */
function readSubjects(settings: SettingReader): Config {
  const server = readServerConfig(settings);
  const database = readDatabaseConfig(settings);
  return {
    ...server,
    ...database,
    ...readSecretsConfig(settings, database),
    ...readIdentityProviderConfig(settings),
    ...readIntakeConfig(settings),
    ...readLimitsConfig(settings),
    ...readNetworksConfig(settings, database.dataDir),
    ...readSettlementConfig(settings),
    ...readAuditConfig(settings),
    ...readMailConfig(settings),
    ...readSandboxConfig(settings),
  };
}
