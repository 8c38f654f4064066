// The first authenticator of a person: its secret, a first code, and the recovery codes, shown once.
import { call, element, onSubmit, show } from './console.js';

export async function enrol(pending, done) {
  const { secret, uri } = await call('POST', '/sign-in/totp', { pending });
  element('secret').textContent = secret.replaceAll(/.{4}(?=.)/g, '$& ');
  element('uri').href = uri;
  onSubmit('enrol', async ({ code }) => {
    const answer = await call('POST', '/sign-in/totp/confirm', { pending, code });
    element('codes').replaceChildren(
      ...answer.recovery_codes.map((each) =>
        Object.assign(document.createElement('li'), { textContent: each }),
      ),
    );
    element('kept').addEventListener('click', done);
    show('recovery');
  });
  show('enrol');
}
