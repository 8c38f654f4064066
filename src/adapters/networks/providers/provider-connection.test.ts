// Tests that a provider gets no work before it has reported its chain. A provider that reported a different chain is not used
// until it reports the right one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WrongChainError } from './errors.ts';
import { makeProviders } from './providers.ts';

const HOSTS = ['one.example', 'two.example', 'three.example'];

function stage(count: number) {
  let nowMs = 1_000_000;
  const down = new Set<string>();
  const troubles: string[] = [];
  const asked: string[] = [];
  const chain = { name: 'ours' };
  const urls = HOSTS.slice(0, count).map((host) => `https://${host}`);
  const providers = makeProviders(urls, (url) => new URL(url).hostname, {
    clock: { now: () => nowMs },
    onTrouble: (provider, error) => void troubles.push(`${provider}: ${error.message}`),
    prove: async (name) => {
      asked.push(`${name}?`);
      if (down.has(name)) throw new Error('down');
      if (chain.name !== 'ours') throw new WrongChainError(chain.name, 'ours');
    },
  });
  const work = async (name: string) => {
    asked.push(name);
    return name;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { providers, down, troubles, asked, work, pass, chain };
}

test('threat 101: a provider must name its chain before its first work, after a failure, and every ten minutes', async () => {
  const { providers, asked, work, pass, chain } = stage(1);
  await providers.one(work);
  await providers.one(work);
  assert.deepEqual(asked, ['one.example?', 'one.example', 'one.example']);
  asked.length = 0;
  pass(10 * 60_000);
  await Promise.all([providers.one(work), providers.one(work)]);
  assert.deepEqual(asked, ['one.example?', 'one.example', 'one.example'], 'asked once for both');
  asked.length = 0;
  await assert.rejects(providers.one(async () => Promise.reject(new Error('cut'))));
  chain.name = 'another';
  await assert.rejects(providers.one(work), WrongChainError);
  assert.deepEqual(asked, ['one.example?'], 'it is asked nothing else');
});

test('threat 101: a provider that named another chain is not used until it names the right one, whatever else it returns', async () => {
  const { providers, asked, work, pass, chain, troubles } = stage(1);
  await providers.one(work);
  await assert.rejects(
    providers.one(async () => Promise.reject(new WrongChainError('another', 'ours'))),
    WrongChainError,
  );
  chain.name = 'another';
  for (let round = 0; round < 3; round++) {
    pass(120_000);
    asked.length = 0;
    const [state] = await providers.look(work);
    assert.deepEqual(
      [asked, state!.problem],
      [['one.example?'], 'it is on the chain another, but the settings say ours'],
    );
    await assert.rejects(providers.one(work), WrongChainError);
  }
  assert.deepEqual(troubles, ['one.example: it is on the chain another, but the settings say ours']);
  chain.name = 'ours';
  assert.equal(await providers.one(work), 'one.example');
  assert.equal((await providers.look(work))[0]!.problem, null);
});

test('threat 101: a response does not count if its provider named another chain while the request was in progress', async () => {
  const { providers, work } = stage(1);
  await providers.one(work);
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = providers.one(() => promise);
  await assert.rejects(providers.one(async () => Promise.reject(new WrongChainError('another', 'ours'))));
  resolve('an answer');
  await assert.rejects(slow, /now reports another chain/);
});

test('at start, every provider is asked for its chain, and the error of each is reported', async () => {
  const { providers, asked, down, work } = stage(3);
  down.add('two.example');
  const failed = await providers.prove();
  assert.deepEqual(
    [...failed].map(([name, error]) => `${name} ${error}`),
    ['two.example Error: down'],
  );
  asked.length = 0;
  await providers.every(work);
  assert.deepEqual(asked, ['one.example', 'three.example'], 'proven already');
});
