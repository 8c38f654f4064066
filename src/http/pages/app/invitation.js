// An invitation: what it is for, name and password, the first authenticator, the recovery codes.
import { call, element, keptSession, onSubmit, show, tokenInAddress } from './console.js';
import { enrol } from './enrol.js';

const token = tokenInAddress();

onSubmit('accept', async (given) => {
  const { pending } = await call('POST', '/invitations/accept', { ...given, token });
  await enrol(pending, joined);
});

onSubmit('join', async () => {
  await call('POST', '/invitations/accept-signed-in', { token });
  await joined();
});

async function joined() {
  await keptSession();
  show('joined');
}

async function begin() {
  const {
    email,
    business_name: business,
    role,
    known,
  } = await call('POST', '/invitations/read', { token: token ?? '-' });
  for (const place of document.querySelectorAll('.to'))
    place.textContent = `${email}: ${role} ${business === null ? 'at the operator' : `of ${business}`}`;
  if (!known) return show('accept');
  await call('GET', '/session').then(
    () => show('join'),
    () => show('sign-in-first'),
  );
}

begin().catch((error) => {
  element('why').textContent = error.message;
  show('refused');
});
