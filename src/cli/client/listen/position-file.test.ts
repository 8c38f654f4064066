// Tests the position file of `listen`. After a restart, an event that finished out of order is not sent again, and an
// unfinished event is sent.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { openPosition, positionFileOf } from './position-file.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-position-'));
after(() => rmSync(directory, { recursive: true }));
const fileOf = (name: string) => path.join(directory, name, 'position.json');

test('a new position is stored before its first event, even when the log is empty', () => {
  const file = fileOf('new');
  assert.equal(openPosition(file).place, undefined);
  openPosition(file).begin(null);
  assert.equal(openPosition(file).place, null);
  openPosition(file).begin('evt_a_1');
  assert.equal(openPosition(file).place, 'evt_a_1');
  assert.equal(statSync(file).mode & 0o077, 0);
  assert.deepEqual(readdirSync(path.dirname(file)), ['position.json']);
});

test('the position stays before the first unfinished event, and events already finished after it are not repeated', () => {
  const file = fileOf('order');
  const first = openPosition(file);
  first.begin('evt_0');
  for (const id of ['evt_1', 'evt_2', 'evt_3', 'evt_4']) assert.ok(first.take(id));
  first.finish('evt_2');
  first.finish('evt_4');
  const second = openPosition(file);
  assert.equal(second.place, 'evt_0');
  assert.deepEqual(
    ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'].filter((id) => second.take(id)),
    ['evt_1', 'evt_3', 'evt_5'],
  );
  second.finish('evt_1');
  assert.equal(openPosition(file).place, 'evt_2');
  second.finish('evt_3');
  assert.equal(openPosition(file).place, 'evt_4');
  second.finish('evt_5');
  assert.equal(openPosition(file).place, 'evt_5');
});

test('a file that is not a position file is refused, and the message says what to do', () => {
  const file = path.join(directory, 'broken.json');
  writeFileSync(file, '{"after":');
  assert.throws(() => openPosition(file), /is not a position file of listen\. Delete it/);
});

test('each service, mode, business, target and selection of events has a separate file', () => {
  const identity = {
    baseUrl: 'https://a.example',
    mode: 'test',
    owner: 'biz_1',
    target: 'http://b/',
    types: undefined,
  };
  const others = [
    ...[identity, { ...identity, baseUrl: 'https://c.example' }, { ...identity, mode: 'live' }],
    ...[
      { ...identity, owner: 'biz_2' },
      { ...identity, target: 'http://c/' },
      { ...identity, types: ['refund.*'] },
    ],
  ];
  assert.equal(new Set(others.map((each) => positionFileOf(each, '/data'))).size, others.length);
  assert.match(positionFileOf(identity, '/data'), /^\/data\/listen\/[0-9a-f]{16}\.json$/);
});
