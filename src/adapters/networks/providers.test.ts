// A piece of work runs whole on one provider; one that fails rests longer each time; agreement takes two that answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProviders } from './providers.ts';

const URLS = [
  'https://user:pass@one.example/secret-1',
  'https://two.example/secret-2?key=3',
  'https://three.example',
];

function stage(count = 3) {
  let nowMs = 1_000_000;
  const down = new Set<string>();
  const troubles: string[] = [];
  const asked: string[] = [];
  const providers = makeProviders(URLS.slice(0, count), (url) => new URL(url).hostname, {
    clock: { now: () => nowMs },
    onTrouble: (provider, error) => void troubles.push(`${provider}: ${error.message}`),
  });
  const work = async (name: string) => {
    asked.push(name);
    if (down.has(name)) throw new Error('down');
    return name;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { providers, down, troubles, asked, work, pass };
}
const same = () => true;

test('the first that answers is asked first from then on', async () => {
  const { providers, down, troubles, asked, work } = stage();
  down.add('one.example');
  assert.equal(await providers.one(work), 'two.example');
  assert.equal(await providers.one(work), 'two.example');
  assert.deepEqual(asked, ['one.example', 'two.example', 'two.example']);
  assert.deepEqual(troubles, ['one.example: down']);
});

test('work that fails half-way starts again on the next one', async () => {
  const { providers } = stage();
  const steps: string[] = [];
  const answer = await providers.one(async (name) => {
    steps.push(`${name} first`);
    if (name === 'one.example') throw new Error('cut');
    steps.push(`${name} second`);
    return name;
  });
  assert.equal(answer, 'two.example');
  assert.deepEqual(steps, ['one.example first', 'two.example first', 'two.example second']);
});

test('who fails rests, longer each time up to a minute, and is asked all the same when nobody else is left', async () => {
  const { providers, down, asked, work, pass } = stage(2);
  for (const each of ['one.example', 'two.example']) down.add(each);
  const rests: number[] = [];
  for (let round = 0; round < 12; round++) {
    await assert.rejects(providers.one(work), /down/);
    const own = providers.health().find(({ name }) => name === 'one.example')!;
    rests.push(own.restsUntilMs! - 1_000_000);
  }
  assert.deepEqual(rests.slice(0, 4), [500, 1_000, 2_000, 4_000]);
  assert.equal(rests.at(-1), 60_000);
  assert.equal(asked.length, 24);
  down.clear();
  pass(60_000);
  assert.equal(await providers.one(work), 'one.example');
  assert.deepEqual(
    providers.health().map(({ failures }) => failures),
    [0, 12],
  );
});

test('agreement takes two that answered; where there is only one its word is enough', async () => {
  const { providers, down, work } = stage();
  assert.deepEqual(await providers.agree(work, same), { kind: 'agreed', answer: 'one.example' });
  assert.deepEqual(await providers.agree(work, (a, b) => a === b), {
    kind: 'differ',
    answers: ['one.example', 'two.example'],
  });
  down.add('two.example');
  assert.equal((await providers.agree(work, same)).kind, 'agreed', 'the third stands in');
  down.add('three.example');
  assert.deepEqual(await providers.agree(work, same), { kind: 'unconfirmed', answer: 'one.example' });
  down.add('one.example');
  await assert.rejects(providers.agree(work, same), /down/);
  const alone = stage(1);
  assert.equal((await alone.providers.agree(alone.work, () => false)).kind, 'agreed');
});

test('all of them at once, whatever becomes of each', async () => {
  const { providers, down, work } = stage();
  down.add('two.example');
  const statuses = (await providers.all(work)).map(({ status }) => status);
  assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled']);
});

test('names hold no path, key or password, and what is no address is not repeated', async () => {
  const { providers } = stage();
  assert.deepEqual(
    providers.health().map(({ name }) => name),
    ['one.example', 'two.example', 'three.example'],
  );
  const open = (urls: readonly string[]) =>
    makeProviders(urls, String, { clock: { now: () => 0 }, onTrouble: () => {} });
  assert.throws(
    () => open(['not-a-url/secret']),
    (error: Error) => !/secret/.test(JSON.stringify({ ...error }) + error.message),
  );
  assert.throws(() => open([]), /needs a provider/);
});
