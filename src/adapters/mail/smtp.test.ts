// Tests the SMTP adapter against a test server that fails in the same ways as real mail servers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { limitMs } from '../../../test/support/patience.ts';
import { type SmtpFault, startSmtpServer } from '../../../test/support/smtp-server.ts';
import type { Mail } from '../../ports/mail.ts';
import { makeSmtpServer, type SmtpSettings } from './smtp.ts';

const MAIL: Mail = {
  id: 'mal_01',
  recipient: 'ada@example.com',
  subject: 'Invitation to Kòbò Traders',
  body: 'First line.\n\n.a line that begins with a dot\n.\nhttps://pay.example/app/invitation#token=abc\n',
  createdAtMs: Date.parse('2026-11-14T09:30:00Z'),
};
const FROM = { name: 'Sliproad', address: 'no-reply@pay.example' };
const SECRET = 'hunter2-hunter2';

async function stage(
  settings: Partial<SmtpSettings> = {},
  options: Parameters<typeof startSmtpServer>[0] = {},
) {
  const server = await startSmtpServer(options);
  const smtp = makeSmtpServer({
    host: '127.0.0.1',
    port: server.port,
    tls: 'none',
    user: null,
    password: null,
    from: FROM,
    timeoutMs: limitMs('answer'),
    ...settings,
  });
  return { server, smtp };
}

test('a mail arrives complete: sender, recipient, Message-ID, subject, and every line of the text', async () => {
  const { server, smtp } = await stage();
  assert.deepEqual(await smtp.send(MAIL), { kind: 'sent' });
  const [mail] = server.taken;
  assert.equal(mail!.from, 'no-reply@pay.example');
  assert.deepEqual(mail!.to, ['ada@example.com']);
  assert.match(mail!.text, /^Message-ID: <mal_01@pay\.example>\r?$/m);
  assert.match(mail!.text, /^From: Sliproad <no-reply@pay\.example>\r?$/m);
  assert.match(mail!.text, /^Auto-Submitted: auto-generated\r?$/m);
  assert.match(mail!.text, /^Date: Sat, 14 Nov 2026 09:30:00 \+0000\r?$/m);
  assert.match(mail!.text, /^Subject: =\?UTF-8\?/m);
  assert.ok(mail!.text.replaceAll('\r\n', '\n').endsWith(MAIL.body), mail!.text);
});

const OUTCOMES: Readonly<Record<SmtpFault, readonly [kind: string, lasting?: boolean]>> = {
  refuses_after_data: ['refused', true],
  busy_after_data: ['refused', false],
  recipient_later: ['refused', false],
  recipient_unknown: ['refused', true],
  // The operator's settings are wrong. The operator can correct them while the mail waits.
  sender_refused: ['refused', false],
  wrong_password: ['refused', false],
  drops_after_dot: ['unknown'],
  silent: ['unknown'],
  silent_after_dot: ['unknown'],
};

for (const [fault, [kind, lasting]] of Object.entries(OUTCOMES)) {
  test(`a mail server with the fault ${fault} gives the outcome ${kind}${lasting === undefined ? '' : lasting ? ' (permanent)' : ' (temporary)'}`, async () => {
    const login = { user: 'mailer', password: SECRET };
    const isAwaited = kind === 'unknown' && fault !== 'drops_after_dot';
    const limits = isAwaited ? { timeoutMs: 300 } : {};
    const settings = { user: 'mailer', password: () => SECRET, ...limits };
    const { server, smtp } = await stage(settings, { login });
    server.fault = fault as SmtpFault;
    const outcome = await smtp.send(MAIL);
    assert.equal(outcome.kind, kind, JSON.stringify(outcome));
    if (outcome.kind === 'refused') assert.equal(outcome.lasting, lasting, JSON.stringify(outcome));
    const shown = JSON.stringify(outcome);
    for (const encoded of [
      SECRET,
      Buffer.from(SECRET).toString('base64'),
      Buffer.from(`\0mailer\0${SECRET}`).toString('base64'),
    ])
      assert.ok(!shown.includes(encoded), 'threat 92: the password is not in the problem');
  });
}

test('a mail sent again after an unknown outcome has the same Message-ID', async () => {
  const { server, smtp } = await stage();
  server.fault = 'drops_after_dot';
  assert.equal((await smtp.send(MAIL)).kind, 'unknown');
  server.fault = null;
  assert.equal((await smtp.send(MAIL)).kind, 'sent');
  const ids = server.taken.map(({ text }) => /^Message-ID: (.*)\r?$/m.exec(text)![1]!.trim());
  assert.deepEqual(ids, ['<mal_01@pay.example>', '<mal_01@pay.example>']);
});

test('sending one mail has an overall deadline', async () => {
  const { server, smtp } = await stage({ deadlineMs: 100 });
  server.fault = 'silent_after_dot';
  assert.match(JSON.stringify(await smtp.send(MAIL)), /unknown.*longer than 100 ms/);
});

test('a server without encryption or with an untrusted certificate never gets the password or the mail', async () => {
  const login = { user: 'mailer', password: SECRET };
  const settings = { tls: 'starttls', user: 'mailer', password: () => SECRET } as const;
  for (const options of [{ login }, { login, tls: makeCertificate() }]) {
    const { server, smtp } = await stage(settings, options);
    const outcome = await smtp.send(MAIL);
    assert.notEqual(outcome.kind, 'sent');
    assert.ok(outcome.kind !== 'refused' || !outcome.lasting);
    assert.deepEqual(server.taken, []);
    assert.ok(
      server.lines.every((line) => /^(EHLO|HELO|STARTTLS|QUIT)/.test(line)),
      server.lines.join('\n'),
    );
  }
});

test('with STARTTLS and a trusted certificate, the credentials and the mail are sent over the encrypted connection', async () => {
  const certificate = makeCertificate();
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, certificate.cert]);
  try {
    const login = { user: 'mailer', password: SECRET };
    const settings = { tls: 'starttls', user: 'mailer', password: () => SECRET } as const;
    const { server, smtp } = await stage(settings, { login, tls: certificate });
    assert.deepEqual(await smtp.send(MAIL), { kind: 'sent' });
    assert.deepEqual([server.taken[0]!.encrypted, server.taken[0]!.user], [true, 'mailer']);
  } finally {
    setDefaultCACertificates(usual);
  }
});

test('a recipient or subject with a line break, or two addresses, is refused and not sent', async () => {
  const { server, smtp } = await stage();
  const bad: Partial<Mail>[] = [
    { recipient: 'ada@example.com\r\nBcc: all@example.com' },
    { recipient: 'ada@example.com, eve@example.com' },
    { recipient: 'Ada <ada@example.com>' },
    { recipient: 'Ada@Example.com' },
    { subject: 'Hello\r\nBcc: all@example.com' },
    { subject: 'Hello\u2028Bcc: all@example.com' },
  ];
  for (const change of bad) {
    const outcome = await smtp.send({ ...MAIL, ...change });
    assert.deepEqual([outcome.kind, outcome.kind === 'refused' && outcome.lasting], ['refused', true]);
  }
  assert.deepEqual(server.lines, []);
});
