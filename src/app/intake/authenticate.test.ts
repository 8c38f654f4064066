// Tests threats 64, 65, 70 and 71. The service finds the owner of a key in memory while memory is current, and otherwise in the
// database. It does not query the database for every guessed key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecretKey } from '../../domain/catalogue/secret-keys.ts';
import type { ApiKey, Catalogue, CatalogueSnapshot } from '../../ports/catalogue.ts';
import { hashSecretKey, makeAuthenticator } from './authenticate.ts';

const secret = (fill: number) => makeSecretKey('test', new Uint8Array(96).fill(fill));

function scene(keys: Readonly<Record<string, number | null>>) {
  const business = { id: 'biz_1', name: 'B', linkTag: 'b', tier: 'standard', defaultWallets: {} };
  const entries = (of: Readonly<Record<string, number | null>>) =>
    new Map(
      Object.entries(of).map(([text, expiresAtMs]): [string, ApiKey] => [
        hashSecretKey(text),
        { id: text.slice(-6), mode: 'test', scope: 'full', business, expiresAtMs },
      ]),
    );
  const state = { now: 1_000, current: true, keys, refreshes: 0, stored: keys };
  const snapshotOf = (of: typeof keys) => ({ keysByHash: entries(of) }) as unknown as CatalogueSnapshot;
  const catalogue: Catalogue = {
    current: () => (state.current ? snapshotOf(state.keys) : undefined),
    refresh: async () => {
      state.refreshes++;
      state.keys = state.stored;
      return snapshotOf(state.keys);
    },
  };
  const authenticator = makeAuthenticator({ catalogue, clock: { now: () => state.now } });
  return { state, authenticator };
}

test('a known key is found in memory without waiting', () => {
  const { state, authenticator } = scene({ [secret(1)]: null });
  const caller = authenticator.authenticate(secret(1));
  assert.ok(caller !== undefined && !(caller instanceof Promise));
  assert.equal(caller.key.id, secret(1).slice(-6));
  assert.equal(state.refreshes, 0);
});

test('threat 64: a text that is not a key is refused without a look-up', () => {
  const { state, authenticator } = scene({ [secret(1)]: null });
  for (const text of ['', 'x', secret(1).slice(1), `${secret(1)}x`, secret(1).replace('test', 'live')]) {
    assert.equal(authenticator.authenticate(text), undefined);
  }
  assert.equal(state.refreshes, 0);
});

test('threat 71: unknown keys cause at most ten database queries a second', async () => {
  const { state, authenticator } = scene({ [secret(1)]: null });
  for (let i = 0; i < 50; i++) assert.equal(await authenticator.authenticate(secret(2)), undefined);
  assert.equal(state.refreshes, 1);
  state.now += 99;
  assert.equal(await authenticator.authenticate(secret(2)), undefined);
  assert.equal(state.refreshes, 1);
  state.now += 1;
  assert.equal(await authenticator.authenticate(secret(2)), undefined);
  assert.equal(state.refreshes, 2);
});

test('a key that was just created is found by a fresh look-up', async () => {
  const { state, authenticator } = scene({});
  state.stored = { [secret(3)]: null };
  const caller = await authenticator.authenticate(secret(3));
  assert.equal(caller?.key.id, secret(3).slice(-6));
});

test('threat 70: if the keys in memory may be out of date, none of them is trusted', async () => {
  const { state, authenticator } = scene({ [secret(1)]: null });
  state.current = false;
  state.stored = {};
  assert.equal(await authenticator.authenticate(secret(1)), undefined);
  assert.equal(state.refreshes, 1);
});

test('threat 70: a key expires at its time, to the millisecond, by the injected clock', async () => {
  const { state, authenticator } = scene({ [secret(1)]: 5_000 });
  state.now = 4_999;
  assert.ok(authenticator.authenticate(secret(1)) !== undefined);
  state.now = 5_000;
  assert.equal(await authenticator.authenticate(secret(1)), undefined);
});

test('threat 65: keys are stored and found only by their hash', () => {
  assert.match(hashSecretKey(secret(1)), /^[A-Za-z0-9_-]{43}$/);
  assert.notEqual(hashSecretKey(secret(1)), hashSecretKey(secret(2)));
});
