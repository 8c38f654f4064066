// Reads the environment once into one typed value. Each file in config/ reads the settings of one subject. If a setting is
// wrong, the service does not start and lists all mistakes. config.example.env describes every setting.
import {
  type DatabaseConfig,
  readDatabaseConfig,
  readSecretsConfig,
  type SecretsConfig,
} from './config/database.ts';
import {
  type AccountLookupsConfig,
  type BanksConfig,
  type NetworksConfig,
  type RatesConfig,
  readAccountLookupsConfig,
  readBanksConfig,
  readNetworksConfig,
  readRatesConfig,
} from './config/external-services.ts';
import {
  type AuditConfig,
  type EventsConfig,
  type QuotesConfig,
  type ReconciliationConfig,
  type RequestsConfig,
  readAuditConfig,
  readEventsConfig,
  readQuotesConfig,
  readReconciliationConfig,
  readRequestsConfig,
  readSandboxConfig,
  type SandboxConfig,
} from './config/features.ts';
import { type IdentityProviderConfig, readIdentityProviderConfig } from './config/identity-provider.ts';
import { type IntakeConfig, readIntakeConfig } from './config/intake.ts';
import { type LimitsConfig, readLimitsConfig } from './config/limits.ts';
import { type MailConfig, readMailConfig } from './config/mail.ts';
import { describeMisspeltSetting, findMisspeltSettings } from './config/misspelt-settings.ts';
import { readServerConfig, type ServerConfig } from './config/server.ts';
import { ConfigError, type Environment, SettingReader } from './config/setting-reader.ts';
import { readSettlementConfig, type SettlementConfig } from './config/settlement.ts';
import { readWebhooksConfig, type WebhooksConfig } from './config/webhooks.ts';

export type { LogLevel } from './config/server.ts';
export { ConfigError };

export interface Config
  extends ServerConfig,
    DatabaseConfig,
    SecretsConfig,
    IdentityProviderConfig,
    IntakeConfig,
    QuotesConfig,
    AccountLookupsConfig,
    LimitsConfig,
    EventsConfig,
    NetworksConfig,
    BanksConfig,
    RatesConfig,
    ReconciliationConfig,
    SettlementConfig,
    AuditConfig,
    RequestsConfig,
    MailConfig,
    WebhooksConfig,
    SandboxConfig {}

export function readConfig(env: Environment): Config {
  const settings = new SettingReader(env);
  const config = readSubjects(settings);
  if (settings.mistakes.length > 0) throw new ConfigError(settings.mistakes.join('\n'));
  return config;
}

export function settingNames(): string[] {
  const settings = new SettingReader({});
  readSubjects(settings);
  return [...settings.names];
}

/**
 * Returns a warning for each environment variable whose name is nearly the name of a setting, because such a variable has no
 * effect.
 */
export function settingWarnings(env: Environment): string[] {
  return findMisspeltSettings(env, settingNames()).map(describeMisspeltSetting);
}

function readSubjects(settings: SettingReader): Config {
  const server = readServerConfig(settings);
  const database = readDatabaseConfig(settings);
  return {
    ...server,
    ...database,
    ...readSecretsConfig(settings, database),
    ...readIdentityProviderConfig(settings),
    ...readIntakeConfig(settings),
    ...readQuotesConfig(settings),
    ...readAccountLookupsConfig(settings),
    ...readLimitsConfig(settings),
    ...readEventsConfig(settings),
    ...readNetworksConfig(settings, database.dataDir),
    ...readBanksConfig(settings),
    ...readRatesConfig(settings),
    ...readReconciliationConfig(settings),
    ...readSettlementConfig(settings),
    ...readAuditConfig(settings),
    ...readRequestsConfig(settings),
    ...readMailConfig(settings),
    ...readWebhooksConfig(settings),
    ...readSandboxConfig(settings),
  };
}
