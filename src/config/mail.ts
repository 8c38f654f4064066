// Settings of the mail server: one URL, or separate settings. The password is inside a function, so that a printed Config does
// not show it.
import { readFileSync } from 'node:fs';
import { normaliseEmail, normaliseLine } from '../domain/people/names.ts';
import type { SettingReader } from './setting-reader.ts';

const TLS_MODES = ['starttls', 'tls', 'none'] as const;

export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  readonly tls: (typeof TLS_MODES)[number];
  readonly user: string | null;
  readonly password: (() => string) | null;
}

export interface MailConfig {
  readonly mail: {
    /** Null: no mail server is configured. */
    readonly smtp: SmtpConfig | null;
    readonly from: { readonly name: string; readonly address: string } | null;
  };
}

const HOST = /^[A-Za-z0-9.:_-]{1,253}$/;
const NAME_MAX = 100;

export function readMailConfig(settings: SettingReader): MailConfig {
  const byUrl = readSmtpUrl(settings);
  const single = readSmtpFields(settings);
  const tls = settings.oneOf('SMTP_TLS', TLS_MODES, 'starttls');
  const from = readMailFrom(settings);
  settings.require(
    byUrl === null || single === null,
    ['SMTP_HOST', 'SMTP_URL'],
    'must be unset when SMTP_URL is set.',
  );
  const given = byUrl ?? single;
  settings.require(
    given === null || from !== null,
    ['MAIL_FROM', 'SMTP_URL', 'SMTP_HOST'],
    'must be set when a mail server is configured: an address, or Name <address>.',
  );
  if (given === null) return { mail: { smtp: null, from } };
  const secure = given.secure ? 'tls' : tls;
  const { host, user, password } = given;
  const port = given.port ?? (secure === 'tls' ? 465 : 587);
  return { mail: { smtp: { host, port, tls: secure, user, password }, from } };
}

interface MailServerSettings extends Pick<SmtpConfig, 'host' | 'user' | 'password'> {
  readonly port: number | null;
  readonly secure: boolean;
}

function readSmtpUrl(settings: SettingReader): MailServerSettings | null {
  const text = settings.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (text === null) return null;
  const { protocol, hostname, port, username, password } = new URL(text);
  try {
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    if (!HOST.test(hostname)) throw new Error('no host');
    return {
      host: hostname,
      port: port === '' ? null : Number(port),
      secure: protocol === 'smtps:',
      user: user === '' ? null : user,
      password: secret === '' ? null : () => secret,
    };
  } catch {
    settings.refuse('SMTP_URL', 'must name a host and have % signs in user and password escaped as %25.');
    return null;
  }
}

function readSmtpFields(settings: SettingReader): MailServerSettings | null {
  const host = settings.text('SMTP_HOST');
  const portIsSet = settings.text('SMTP_PORT') !== undefined;
  const port = settings.integer('SMTP_PORT', { fallback: 587, min: 1, max: 65_535 });
  const user = settings.text('SMTP_USER') ?? null;
  const password = readSmtpPassword(settings);
  if (host === undefined) return null;
  if (!HOST.test(host)) settings.refuse('SMTP_HOST', 'must be a host name or an address.');
  return { host, port: portIsSet ? port : null, secure: false, user, password };
}

function readSmtpPassword(settings: SettingReader): (() => string) | null {
  const { text, file } = settings.secret('SMTP_PASSWORD');
  if (file === null) return text;
  settings.require(
    text === null,
    ['SMTP_PASSWORD_FILE', 'SMTP_PASSWORD'],
    'must be unset when SMTP_PASSWORD is set.',
  );
  try {
    // Editors and the command `echo` add a line break, which is not part of the password.
    const password = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return () => password;
  } catch (error) {
    settings.refuse('SMTP_PASSWORD_FILE', `cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
    return null;
  }
}

function readMailFrom(settings: SettingReader): MailConfig['mail']['from'] {
  const text = settings.text('MAIL_FROM');
  if (text === undefined) return null;
  const [, quoted, bare] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [null, '', text];
  const address = normaliseEmail(bare!);
  const name = quoted!.trim() === '' ? '' : normaliseLine(quoted!.trim().replace(/^"(.*)"$/, '$1'), NAME_MAX);
  if (address !== undefined && name !== undefined) return { name, address };
  settings.refuse('MAIL_FROM', 'must be one address, or Name <address>.');
  return null;
}
