// Tests that /ready checks the database once for all simultaneous requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { addServiceRoutes } from './service.ts';

test('threat 77: many requests to /ready make only one database query at a time', async () => {
  let asked = 0;
  let answer: (why: string | undefined) => void = () => undefined;
  const app = Fastify();
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  addServiceRoutes(app, {
    notReadyBecause: () => {
      asked++;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    metrics: {} as never,
    metricsAccess: 'closed',
    publicly: (_request, _reply, done) => done(),
  });
  await app.ready();
  const ask = () =>
    Array.from({ length: 50 }, () => app.inject('/ready').then(({ statusCode }) => statusCode));
  for (const [round, why, status] of [
    [1, undefined, 200],
    [2, 'The database does not answer.', 503],
  ] as const) {
    const answers = ask();
    while (asked < round) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(asked, round);
    answer(why);
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([status]));
  }
  await app.close();
});
