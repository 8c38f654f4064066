// Signing in with the password or through the identity provider, then with a code or by setting up the first authenticator, then
// on to the mails.
import { call, element, keptSession, onSubmit, say, show, takeFromAddress } from './console.js';
import { enrol } from './enrol.js';

/** Roles with the permission people.read. */
const READS_MAILS = ['admin', 'auditor'];

/** What the way through the identity provider ends with when it does not lead to a code. */
const PROBLEMS = new Map([
  ['attempt_ended', 'This sign-in took too long, was used before, or began in another browser. Begin again.'],
  [
    'sign_in_failed',
    'The identity provider did not confirm you, or no operator here has your address. Try again, or use your password.',
  ],
  [
    'second_factor_missing',
    'You have no second factor yet. Sign in with your password to set up the first one.',
  ],
  [
    'provider_unavailable',
    'The identity provider does not answer. Try again in a moment, or use your password.',
  ],
]);

// The way back from the identity provider leads here.
const given = takeFromAddress();
let pending = given.get('pending');

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
    if (error.code !== 'sign_in_ended') throw error;
    show('password');
    say(element('password'), error.message);
    return;
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

async function offerProvider() {
  const { provider_url: url } = await call('GET', '/sign-in/options');
  if (url === null) return;
  element('to-provider').href = url;
  element('provider').hidden = false;
}

function begin() {
  // The password works without it.
  offerProvider().catch(() => undefined);
  if (pending !== null) return show('factor');
  if (!given.has('problem')) return call('GET', '/session').then(done, () => show('password'));
  show('password');
  say(element('password'), PROBLEMS.get(given.get('problem')) ?? 'The sign-in failed. Try again.');
}

begin();
