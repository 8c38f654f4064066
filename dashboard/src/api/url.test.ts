import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPath } from './url.ts';

test('each path parameter is encoded and replaces its placeholder, and other parameters are ignored', () => {
  const params = { mode: 'test', rail: 'a/b ?', other: 'x' };
  assert.equal(
    fillPath('/operator/rails/{mode}/{rail}/pause', { params }),
    '/operator/rails/test/a%2Fb%20%3F/pause',
  );
  assert.equal(fillPath('/session'), '/session');
  const day = { mode: 'live', bank_account: '058:0123456789', day: '2026-11-16' };
  assert.equal(
    fillPath('/operator/reconciliation/{mode}/{bank_account}/{day}', { params: day }),
    '/operator/reconciliation/live/058:0123456789/2026-11-16',
  );
});

test('an empty or undefined filter is omitted', () => {
  const query = { mode: 'live', q: 'Ada & Co', state: '', cursor: undefined, limit: 20 };
  assert.equal(fillPath('/operator/search', { query }), '/operator/search?mode=live&q=Ada+%26+Co&limit=20');
  assert.equal(fillPath('/operator/search', { query: { state: '' } }), '/operator/search');
});
