// Tests the mail worker with a real queue and a real SMTP conversation. No mail is lost or retried endlessly, and no token is
// kept longer than needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitMs, until } from '../../test/support/patience.ts';
import { readable, type SmtpFault, startSmtpServer } from '../../test/support/smtp-server.ts';
import { membershipStage } from '../../test/support/stages/membership.ts';
import { makeSmtpServer } from '../adapters/mail/smtp.ts';
import { invitePerson, withdrawInvitation } from '../app/membership/invitations.ts';
import { MAX_MAIL_TRIES, type SendMailDeps, sendDueMails, startSendingMail } from './send-mail.ts';

const { deps, database, pass, person, tokenFor } = await membershipStage();
// Without this deletion, the reviewers of the test data would get a mail about each invitation.
await database.query({ text: 'delete from operator_roles' });
const admin = await person({ operator: 'admin' });
const smtp = await startSmtpServer();
const problems: { readonly id: string; readonly tries: number }[] = [];
const from = { name: '', address: 'no-reply@pay.example' };
const server = makeSmtpServer({
  ...{
    host: '127.0.0.1',
    port: smtp.port,
    tls: 'none',
    user: null,
    password: null,
    from,
    timeoutMs: limitMs('answer'),
  },
});
const worker: SendMailDeps = {
  mails: deps.mails,
  server,
  clock: deps.clock,
  prepare: async () => undefined,
  onProblem: (problem) => problems.push(problem),
  onError: (error) => assert.fail(error),
};
let addresses = 0;

async function invited(fault: SmtpFault | null = null) {
  smtp.fault = fault;
  const email = `mail-${addresses++}@example.com`;
  const invitation = await invitePerson(deps, { email, businessId: null, role: 'auditor' }, admin.id);
  assert.ok(invitation.ok);
  const find = async () => (await deps.mails.list(200)).find(({ recipient }) => recipient === email)!;
  return { email, id: invitation.value.id, find };
}

test('a queued mail is sent once, by one of several workers, and its body is cleared', async () => {
  const { email, find } = await invited();
  assert.equal((await find()).state, 'queued');
  await Promise.all([sendDueMails(worker), sendDueMails(worker), sendDueMails(worker)]);
  const arrived = smtp.taken.filter(({ to }) => to[0] === email);
  assert.equal(arrived.length, 1);
  assert.match(readable(arrived[0]!), /#token=[\w-]{43}\r$/m);
  const mail = await find();
  assert.deepEqual([mail.state, mail.tries, mail.body, mail.problem], ['sent', 1, null, null]);
  assert.equal(await tokenFor(email), '');
});

test('a mail with an unknown outcome is sent again later with the same Message-ID', async () => {
  const { email, find } = await invited('drops_after_dot');
  await sendDueMails(worker);
  const mail = await find();
  assert.deepEqual([mail.state, mail.tries], ['queued', 1]);
  assert.ok(mail.problem);
  await sendDueMails(worker);
  assert.equal((await find()).tries, 1, 'not before its pause is over');
  smtp.fault = null;
  pass(30_000);
  await sendDueMails(worker);
  assert.equal((await find()).state, 'sent');
  const ids = smtp.taken
    .filter(({ to }) => to[0] === email)
    .map(({ text }) => /^Message-ID: (\S+)/m.exec(text)![1]);
  assert.deepEqual(ids, [`<${mail.id}@pay.example>`, `<${mail.id}@pay.example>`]);
});

test('a temporary refusal is retried a limited number of times with growing delays, and after that the problem is shown', async () => {
  const { find } = await invited('busy_after_data');
  for (let tries = 1; tries <= MAX_MAIL_TRIES; tries++) {
    await sendDueMails(worker);
    assert.equal((await find()).tries, tries);
    pass(30_000 * 2 ** (tries - 1));
  }
  await sendDueMails(worker);
  const mail = await find();
  assert.deepEqual([mail.state, mail.tries, mail.body], ['problem', MAX_MAIL_TRIES, null]);
  assert.match(mail.problem!, /451/);
  assert.deepEqual(
    problems.map(({ id }) => id),
    [mail.id],
  );
});

test('after a permanent refusal a mail is not sent again', async () => {
  const { find } = await invited('recipient_unknown');
  await sendDueMails(worker);
  const mail = await find();
  assert.deepEqual([mail.state, mail.tries], ['problem', 1]);
  assert.match(mail.problem!, /550/);
});

test('a slow worker cannot record the outcome of a mail that another worker has leased', async () => {
  const { find } = await invited();
  const [slow] = await deps.mails.lease(deps.clock.now(), deps.clock.now() + 1_000, 5);
  assert.deepEqual(await deps.mails.lease(deps.clock.now(), deps.clock.now() + 1_000, 5), []);
  pass(1_001);
  const [next] = await deps.mails.lease(deps.clock.now(), deps.clock.now() + 1_000, 5);
  assert.equal(next!.id, slow!.id);
  assert.equal(await deps.mails.markFailed(slow!, 'late', null), false);
  assert.equal(await deps.mails.markSent(slow!, deps.clock.now()), false);
  assert.equal(await deps.mails.markSent(next!, deps.clock.now()), true);
  assert.equal((await find()).state, 'sent');
});

test('without a mail server, mails are kept and can be read until their link expires', async () => {
  const { email, find } = await invited();
  await sendDueMails({ ...worker, server: null });
  assert.equal((await find()).state, 'kept');
  assert.match(await tokenFor(email), /^[\w-]{43}$/);
  pass(7 * 24 * 3_600_000);
  await sendDueMails({ ...worker, server: null });
  const mail = await find();
  assert.deepEqual([mail.state, mail.body], ['kept', null]);
});

test('a mail whose link has expired, or whose invitation was withdrawn, is not sent', async () => {
  const late = await invited();
  pass(7 * 24 * 3_600_000);
  const withdrawn = await invited();
  await withdrawInvitation(deps, { id: withdrawn.id, businessId: null }, admin.id);
  await sendDueMails(worker);
  assert.deepEqual([(await late.find()).state, (await withdrawn.find()).state], ['problem', 'cancelled']);
  assert.match((await late.find()).problem!, /link expired/);
  const { rows } = await database.query({ text: 'select from mails where body is not null' });
  assert.equal(rows.length, 0);
  assert.ok(smtp.taken.every(({ to }) => to[0] !== late.email && to[0] !== withdrawn.email));
});

test('the loop sends queued mails, and stopping does not wait for a mail server that does not respond', async () => {
  const first = await invited();
  const loop = startSendingMail(worker, 20);
  await until('it is sent', async () => (await first.find()).state === 'sent');
  await loop.stop();
  const second = await invited();
  const never = startSendingMail({ ...worker, server: { send: () => new Promise(() => undefined) } }, 20);
  await until('it is tried', async () => (await second.find()).tries > 0);
  await never.stop();
  assert.equal((await second.find()).state, 'queued', 'it is sent when its lease has ended');
});
