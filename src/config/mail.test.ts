import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { readConfig } from '../config.ts';

const MAIL_FROM = 'Sliproad <no-reply@pay.example>';
const mail = (env: Record<string, string>) => readConfig(env).mail;
const folder = mkdtempSync(path.join(tmpdir(), 'sliproad-mail-'));
after(() => rmSync(folder, { recursive: true }));

test('SMTP_URL and the separate SMTP settings can describe the same mail server', () => {
  const { smtp, from } = mail({ SMTP_URL: 'smtps://ada%40pay.example:hunter%252@mail.example', MAIL_FROM });
  assert.deepEqual(
    { ...smtp, password: smtp!.password!() },
    {
      ...{ host: 'mail.example', port: 465, tls: 'tls', user: 'ada@pay.example', password: 'hunter%2' },
    },
  );
  assert.deepEqual(from, { name: 'Sliproad', address: 'no-reply@pay.example' });
  const file = path.join(folder, 'password');
  writeFileSync(file, 'hunter%2\n');
  const single = mail({
    ...{ SMTP_HOST: 'mail.example', SMTP_TLS: 'tls', SMTP_USER: 'ada@pay.example', SMTP_PASSWORD_FILE: file },
    MAIL_FROM: 'no-reply@pay.example',
  });
  assert.equal(single.smtp!.password!(), 'hunter%2');
  assert.deepEqual({ ...single.smtp, password: null }, { ...smtp, password: null });
  assert.deepEqual(single.from, { name: '', address: 'no-reply@pay.example' });
  assert.deepEqual(
    [
      mail({ SMTP_URL: 'smtp://mail.example', MAIL_FROM }).smtp,
      mail({ SMTP_HOST: 'mail.example', MAIL_FROM }).smtp,
    ],
    Array.from({ length: 2 }, () => ({
      host: 'mail.example',
      port: 587,
      tls: 'starttls',
      user: null,
      password: null,
    })),
  );
});

test('threat 92: a printed configuration shows no password', () => {
  const config = readConfig({ SMTP_URL: 'smtp://u:hunter2@mail.example', MAIL_FROM });
  assert.ok(
    !inspect(config, { depth: 9 }).includes('hunter2') && !JSON.stringify(config.mail).includes('hunter2'),
  );
});

test('a mail server needs a sender, and only one way of describing the server is allowed', () => {
  assert.throws(() => mail({ SMTP_HOST: 'mail.example' }), /^ConfigError: MAIL_FROM must be set/);
  assert.throws(
    () => mail({ SMTP_HOST: 'a.example', SMTP_URL: 'smtp://b.example', MAIL_FROM }),
    /SMTP_HOST must be unset/,
  );
  assert.throws(
    () =>
      mail({
        SMTP_HOST: 'a.example',
        SMTP_PASSWORD: 'x',
        SMTP_PASSWORD_FILE: path.join(folder, 'password'),
        MAIL_FROM,
      }),
    /SMTP_PASSWORD_FILE must be unset/,
  );
  assert.deepEqual(mail({ MAIL_FROM }).smtp, null);
});
