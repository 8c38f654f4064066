// A new password with the link from the mail.
import { call, onSubmit, show, tokenInAddress } from './console.js';

const token = tokenInAddress();

onSubmit('reset', async ({ password }) => {
  await call('POST', '/password-resets/complete', { token: token ?? '-', password });
  show('done');
});

show('reset');
