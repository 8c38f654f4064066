// Signing in with the password and a code, or setting up the first authenticator, then on to the mails.
import { call, element, keptSession, onSubmit, show } from './console.js';
import { enrol } from './enrol.js';

/** Roles with the permission people.read. */
const READS_MAILS = ['admin', 'auditor'];

let pending = null;

onSubmit('password', async (given) => {
  const answer = await call('POST', '/sign-in', given);
  pending = answer.pending;
  const { totp, passkey, recovery_code: recovery } = answer.factors;
  if (!totp && !passkey && !recovery) await enrol(pending, done);
  else show('factor');
});

onSubmit('factor', async ({ code }) => {
  const kind = /^[\d ]{6,7}$/.test(code.trim()) ? 'totp' : 'recovery_code';
  try {
    await call('POST', '/sign-in/second-factor', { pending, factor: { kind, code: code.trim() } });
  } catch (error) {
    if (error.code === 'sign_in_ended') show('password');
    throw error;
  }
  await done();
});

async function done() {
  const { person } = await keptSession();
  element('who').textContent = person.name;
  element('mails').hidden = !READS_MAILS.includes(person.operator_role);
  show('signed-in');
}

element('sign-out').addEventListener('click', async () => {
  await call('POST', '/sign-out', {});
  location.reload();
});

call('GET', '/session').then(done, () => show('password'));
