// Tests that a piece of work runs completely on one provider. A provider that fails repeatedly is left unused for longer each
// time. An agreement needs responses from two providers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProviders, readLeastOfTwo } from './providers.ts';

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

test('the provider that responded last gets the next request first', async () => {
  const { providers, down, troubles, asked, work } = stage();
  down.add('one.example');
  assert.equal(await providers.one(work), 'two.example');
  assert.equal(await providers.one(work), 'two.example');
  assert.deepEqual(asked, ['one.example', 'two.example', 'two.example']);
  assert.deepEqual(troubles, ['one.example: down']);
});

test('work that fails half-way starts again from the beginning on the next provider', async () => {
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

test('a provider that fails is not used for a longer time after each failure, up to a minute, unless no other provider is left', async () => {
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
    providers.health().map(({ name, problem, failures }) => [name, problem, failures]),
    [
      ['one.example', null, 12],
      ['two.example', 'down', 12],
    ],
  );
});

test('of several failures in a row, only the first is reported', async () => {
  const { providers, down, troubles, work } = stage(1);
  down.add('one.example');
  for (let round = 0; round < 3; round++) await assert.rejects(providers.one(work), /down/);
  assert.deepEqual(troubles, ['one.example: down']);
  down.clear();
  await providers.one(work);
  down.add('one.example');
  await assert.rejects(providers.one(work), /down/);
  assert.equal(troubles.length, 2);
});

test('a health check queries the providers that did not respond for a minute or failed last', async () => {
  const { providers, down, asked, work, pass } = stage();
  const look = async () => {
    asked.length = 0;
    const states = await providers.look(work);
    return [asked.toSorted().join(), ...states.toSorted(byName).map(({ problem }) => problem)];
  };
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  await providers.one(work);
  assert.deepEqual(await look(), ['three.example,two.example', null, null, null], 'never asked before');
  assert.deepEqual(await look(), ['', null, null, null], 'just heard of');
  pass(59_999);
  await providers.one(work);
  pass(1);
  down.add('two.example');
  assert.deepEqual(await look(), ['three.example,two.example', null, null, 'down']);
  assert.deepEqual(await look(), ['two.example', null, null, 'down'], 'although it rests');
  down.clear();
  assert.deepEqual(await look(), ['two.example', null, null, null]);
  down.add('one.example');
  await providers.one(work);
  assert.deepEqual(await look(), ['one.example', 'down', null, null], 'although it answered just before');
});

test('the time without a response is counted from the last response, or from the start if there was none', async () => {
  const { providers, down, work, pass } = stage(2);
  const silences = async () => {
    const states = await providers.look(work);
    return Object.fromEntries(states.map(({ name, silentMs }) => [name, silentMs]));
  };
  down.add('two.example');
  pass(5_000);
  assert.deepEqual(await silences(), { 'one.example': 0, 'two.example': 5_000 });
  down.add('one.example');
  pass(70_000);
  assert.deepEqual(await silences(), { 'one.example': 70_000, 'two.example': 75_000 });
});

test('a provider that responds only to the health check stays paused, and keeps its failure count', async () => {
  const { providers, down, work, pass } = stage(2);
  down.add('one.example');
  for (let round = 0; round < 4; round++) {
    await providers.agree(work, same);
    pass(1);
  }
  const before = providers.health().find(({ name }) => name === 'one.example')!;
  assert.notEqual(before.restsUntilMs, null);
  await providers.look(async () => 'easy');
  const own = providers.health().find(({ name }) => name === 'one.example')!;
  assert.deepEqual(own, { ...before, problem: null, silentMs: 0 });
  assert.equal(own.failures, 4);
});

test('the health check finds an idle provider that is unreachable, and pauses it before it is needed', async () => {
  const { providers, down, asked, work } = stage(3);
  await providers.one(work);
  down.add('two.example');
  await providers.look(work);
  asked.length = 0;
  await providers.agree(work, same);
  assert.deepEqual(asked, ['one.example', 'three.example']);
});

test('agreement needs responses from two providers; with only one configured, its response is enough', async () => {
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

test('work for all providers runs on each of them, and returns the result or the error of each', async () => {
  const { providers, down, work } = stage();
  down.add('two.example');
  const statuses = (await providers.all(work)).map(({ status }) => status);
  assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled']);
});

test('provider names contain no path, key or password, and an error about an invalid URL does not repeat it', async () => {
  const { providers } = stage();
  assert.deepEqual(
    providers.health().map(({ name }) => name),
    ['one.example', 'two.example', 'three.example'],
  );
  const open = (urls: readonly string[]) =>
    makeProviders(urls, String, { clock: { now: () => 0 }, onTrouble: () => {} });
  assert.deepEqual(
    open(['https://one.example/a', 'https://one.example/b', 'https://one.example:81/a'])
      .health()
      .map(({ name }) => name),
    ['one.example', 'one.example (2)', 'one.example:81'],
  );
  assert.throws(
    () => open(['not-a-url/secret']),
    (error: Error) => !/secret/.test(JSON.stringify({ ...error }) + error.message),
  );
  assert.throws(() => open([]), /needs a provider/);
});

test('work for every provider runs on all that are not paused, and one failure does not affect the results of the others', async () => {
  const { providers, down, troubles, asked, work, pass } = stage();
  assert.deepEqual(await providers.every(work), ['one.example', 'two.example', 'three.example']);
  down.add('two.example');
  assert.deepEqual(await providers.every(work), ['one.example', 'three.example']);
  assert.deepEqual(troubles, ['two.example: down']);
  asked.length = 0;
  assert.deepEqual(await providers.every(work), ['one.example', 'three.example']);
  assert.ok(!asked.includes('two.example'), 'it rests');
  down.clear();
  pass(500);
  assert.deepEqual((await providers.every(work)).toSorted(), ['one.example', 'three.example', 'two.example']);
});

test('when all providers are paused, the one with the shortest pause still gets the request, and its error is thrown', async () => {
  const { providers, down, asked, work, pass } = stage(2);
  for (const each of ['one.example', 'two.example']) down.add(each);
  await assert.rejects(providers.every(work), /down/);
  pass(1);
  await assert.rejects(providers.one(work), /down/);
  asked.length = 0;
  await assert.rejects(providers.every(work), /down/);
  assert.equal(asked.length, 1);
  down.clear();
  assert.equal((await providers.every(work)).length, 1);
});

test('the reason why a provider is unreachable includes the system error code from the cause, but not the text of the cause', async () => {
  const { providers } = stage(1);
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:443'), { code: 'ECONNREFUSED' });
  const failing = async () => {
    throw new TypeError('fetch failed', { cause: new Error('wrapped', { cause: refused }) });
  };
  await assert.rejects(providers.one(failing), /^TypeError: fetch failed$/);
  assert.equal(providers.health()[0]!.problem, 'fetch failed (ECONNREFUSED)');
  await assert.rejects(providers.one(async () => Promise.reject(refused)));
  assert.equal(providers.health()[0]!.problem, 'connect ECONNREFUSED 10.0.0.1:443');
});

// Tests balances that are booked. The booked balance is the smaller one of two providers' responses. If two providers are
// configured, one response is not enough.

const ask = (...answers: readonly (bigint | null)[]) => {
  const urls = answers.map((_, index) => `https://p${index}.example`);
  const parts = { clock: { now: () => 1 }, onTrouble: () => undefined };
  const providers = makeProviders(urls, (url) => answers[urls.indexOf(url)]!, parts);
  return readLeastOfTwo(providers, async (answer) => {
    if (answer === null) throw new Error('down');
    return answer as bigint;
  });
};

test('threat 46: the smaller of two values counts, and a single value is refused when two providers are configured', async () => {
  assert.equal(await ask(7n), 7n);
  assert.equal(await ask(7n, 7n), 7n);
  assert.equal(await ask(9n, 7n), 7n);
  assert.equal(await ask(7n, 9n), 7n);
  assert.equal(await ask(null, 7n, 9n), 7n);
  await assert.rejects(ask(null, 7n), /only one provider answers/);
  await assert.rejects(ask(null, null), /down/);
});
