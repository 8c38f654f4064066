import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areOtherSessions, isSessionId, parseSessionId } from './session-id.ts';

const NIP = '000014261116093000123456789012';
const UETR = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';
const MESSAGE = 'NIBSS2026111609300000123456789';

test('an id of any form names a transfer, unless it is a placeholder, a counter or a text', () => {
  for (const id of [NIP, UETR, MESSAGE, '00001426111609300012345678901', `${NIP}12345`])
    assert.ok(isSessionId(id), id);
  const none = ['', 'N/A', '12345', 'NOTPROVIDED', '0'.repeat(30), '1'.repeat(36), '-'.repeat(30)];
  none.push(
    'UNKNOWN-SESSION-OF-THE-BANK',
    '0000000000-0000000000',
    'rent of november 2026 for Ada',
    '9'.repeat(65),
  );
  for (const id of none) assert.equal(parseSessionId(id), null, id);
  assert.equal(parseSessionId(null), null);
});

test('an id is stored in one spelling', () => {
  assert.equal(parseSessionId(` ${UETR.toUpperCase()} `), UETR);
  assert.equal(parseSessionId(NIP), NIP);
  assert.equal(parseSessionId(MESSAGE), MESSAGE, 'only a UUID has no case');
});

test('only ids of one form contradict each other', () => {
  assert.ok(areOtherSessions(NIP, NIP.replace('12', '13')));
  assert.ok(areOtherSessions(UETR, UETR.replace('eb', 'ec')));
  assert.ok(!areOtherSessions(NIP, UETR), 'one transfer may have both');
  assert.ok(!areOtherSessions(NIP, NIP) && !areOtherSessions(NIP, null) && !areOtherSessions(null, UETR));
});
