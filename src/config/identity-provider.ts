// The operator's identity provider (OpenID Connect), where there is one.
import type { SecretSetting, SettingReader } from './setting-reader.ts';

export interface IdentityProviderConfig {
  /** Null: people sign in with passwords only. */
  readonly identityProvider: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: SecretSetting;
  } | null;
}

const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

export function readIdentityProviderConfig(settings: SettingReader): IdentityProviderConfig {
  const issuer = settings.url('OIDC_ISSUER', ['http:', 'https:']);
  const clientId = settings.text('OIDC_CLIENT_ID') ?? null;
  const clientSecret = settings.secret('OIDC_CLIENT_SECRET');
  settings.require(
    issuer === null || issuer.startsWith('https:') || LOOPBACK.test(new URL(issuer).hostname),
    ['OIDC_ISSUER'],
    'must start with https: unless the provider is on this machine.',
  );
  settings.require(
    (issuer === null) === (clientId === null),
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
    'must be set when OIDC_ISSUER is, and only then.',
  );
  const hasSecret = clientSecret.text !== null || clientSecret.file !== null;
  settings.require(
    issuer === null || hasSecret,
    ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
    'or OIDC_CLIENT_SECRET_FILE must be set when OIDC_ISSUER is.',
  );
  if (issuer === null || clientId === null) return { identityProvider: null };
  return { identityProvider: { issuer, clientId, clientSecret } };
}
