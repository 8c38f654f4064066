// A new password: asking for the link, and setting the password with it.
import { call, onSubmit, show, tokenInAddress } from './console.js';

const token = tokenInAddress();

onSubmit('reset', async ({ password }) => {
  await call('POST', '/password-resets/complete', { token, password });
  show('done');
});

onSubmit('ask', async ({ email }) => {
  await call('POST', '/password-resets', { email });
  show('asked');
});

show(token === null ? 'ask' : 'reset');
