// Settings of the operator's identity provider (OpenID Connect), if one is configured.
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

/**
 * Microsoft's issuers that accept all tenants. With such an issuer, any tenant could create accounts with the names of your
 * operators.
 */
const MULTI_TENANT_ISSUER = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i;

export function readIdentityProviderConfig(settings: SettingReader): IdentityProviderConfig {
  // The issuer is used exactly as written. It is compared letter by letter, and some products end it with a slash.
  const isUrl = settings.url('OIDC_ISSUER', ['https:', 'http:']) !== null;
  const issuer = isUrl ? (settings.text('OIDC_ISSUER') ?? null) : null;
  const clientId = settings.text('OIDC_CLIENT_ID') ?? null;
  const clientSecret = settings.secret('OIDC_CLIENT_SECRET');
  settings.require(
    issuer === null || issuer.startsWith('https:') || LOOPBACK.test(new URL(issuer).hostname),
    ['OIDC_ISSUER'],
    'must start with https: unless the provider is on this machine.',
  );
  settings.require(
    issuer === null ||
      (!/[?#]/.test(issuer) && new URL(issuer).username === '' && !issuer.includes('/.well-known/')),
    ['OIDC_ISSUER'],
    'must be only the issuer: without user, query, fragment or /.well-known/ path.',
  );
  settings.require(
    issuer === null || !MULTI_TENANT_ISSUER.test(issuer),
    ['OIDC_ISSUER'],
    'must name your own tenant: this address accepts the accounts of every company.',
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
    'or OIDC_CLIENT_SECRET_FILE must be set when OIDC_ISSUER is set.',
  );
  settings.require(
    clientSecret.text === null || clientSecret.file === null,
    ['OIDC_CLIENT_SECRET'],
    'and OIDC_CLIENT_SECRET_FILE must not both be set.',
  );
  if (issuer === null || clientId === null) return { identityProvider: null };
  return { identityProvider: { issuer, clientId, clientSecret } };
}
