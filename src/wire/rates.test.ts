// Tests which rate sources set each product's price: the sources of RATES_FILE in live mode, otherwise only the desk.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { RATE_PRODUCTS } from '../domain/rates/rates.ts';
import { isOperatorError } from './operator-errors.ts';
import { openRatePlan } from './rates.ts';

const EXAMPLE = path.join(import.meta.dirname, '../../rates.example.json');
const open = (env: Readonly<Record<string, string>>) => openRatePlan(readConfig(env), { now: () => 0 });

test('without a file there is no source, and every product gets its price from the desk only', () => {
  const { sources, planOf } = open({});
  assert.deepEqual(sources, []);
  for (const mode of ['live', 'test'] as const)
    for (const product of RATE_PRODUCTS)
      assert.deepEqual(planOf(mode, product), { product, sources: ['desk'], minimum: 1 });
});

test('the file applies only to live mode; test mode uses the desk', () => {
  const { sources, planOf } = open({ RATES_FILE: EXAMPLE });
  assert.deepEqual(
    sources.map(({ name }) => name),
    ['cbn', 'world', 'quidax', 'paycrest'],
  );
  assert.deepEqual(planOf('live', 'otc_buy').sources, ['cbn', 'world', 'desk']);
  assert.deepEqual(planOf('test', 'otc_buy').sources, ['desk']);
});

test('the service refuses to start with an invalid file, and the message is for the operator', () => {
  const file = path.join(import.meta.dirname, 'none.json');
  assert.throws(
    () => open({ RATES_FILE: file }),
    (error: Error) => isOperatorError(error) && error.message.includes(file),
  );
});

test('a command that needs no rate works with an invalid file', () => {
  const config = readConfig({ RATES_FILE: path.join(import.meta.dirname, 'none.json') });
  const plan = openRatePlan(config, { now: () => 0 }, { lazily: true });
  assert.deepEqual({ ...{ plan } }.plan.planOf('test', 'otc_buy').sources, ['desk']);
  assert.throws(() => plan.planOf('live', 'otc_buy'), isOperatorError);
  assert.throws(() => plan.sources, isOperatorError);
});
