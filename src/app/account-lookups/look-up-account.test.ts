// Tests how a business looks up the owner of a bank account. The service asks the rails in order until one knows the account,
// and caches each result for some minutes. If the bank does not reply, the business gets no result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { makeBanks } from '../../adapters/rails/registry.ts';
import { SIMULATED_TERMS } from '../../domain/rails/terms.ts';
import type { Rail } from '../../ports/rails/rail.ts';
import type { NameEnquiryAnswer } from '../../ports/rails/rail-payouts.ts';
import { type LookUpAccountDeps, lookUpAccount, makeOwnerCache } from './look-up-account.ts';

const CALLER = { key: { id: 'key_1', business: { id: 'biz_1' }, mode: 'live' } } as const;
const QUESTION = { code: 'gtbank', number: '0123456785' };

function stage(...answers: readonly (NameEnquiryAnswer | null)[]) {
  const asked: number[] = [];
  let nowMs = 0;
  const charged: number[] = [];
  const rails = answers.map(
    (answer, index): Rail => ({
      ...{ name: `rail-${index}`, pace: { readEveryMs: 1, askAfterMs: 1 }, terms: SIMULATED_TERMS },
      ...{ account: null, statement: null },
      payouts:
        answer === null
          ? null
          : ({
              enquireName: async () => {
                asked.push(index);
                return answer;
              },
            } as unknown as Rail['payouts']),
    }),
  );
  const deps: LookUpAccountDeps = {
    rails: makeBanks({ live: rails, test: [] }),
    directory: loadBankDirectory(),
    turns: { take: async () => 0, charge: async (_scope, _limit, turns) => void charged.push(turns) },
    memory: makeOwnerCache(2),
    audit: { record: async () => undefined },
    clock: { now: () => nowMs },
    limit: { everyMs: 2_000, burst: 10 },
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return {
    asked,
    charged,
    pass,
    ask: (number = QUESTION.number) => lookUpAccount(deps, CALLER, { ...QUESTION, number }),
  };
}

const codeOf = (answer: Awaited<ReturnType<typeof lookUpAccount>>) =>
  answer.ok ? 'found' : answer.error.refused.code;
const UNKNOWN: NameEnquiryAnswer = { kind: 'unknown', reason: 'down' };
const FOUND: NameEnquiryAnswer = { kind: 'found', name: 'ADA OBI' };

test('the rails are queried in their order until one knows the account; a rail that makes no payouts is not queried', async () => {
  const { ask, asked } = stage(null, UNKNOWN, FOUND, FOUND);
  const answer = await ask();
  assert.ok(answer.ok);
  assert.equal(answer.value.accountName, 'ADA OBI');
  assert.deepEqual(asked, [1, 2]);
});

test('when no rail responds, the result is 503 and is not cached; a mode without any rail gets a different refusal', async () => {
  const silent = stage(UNKNOWN, UNKNOWN);
  assert.equal(codeOf(await silent.ask()), 'bank_unavailable');
  assert.equal(codeOf(await silent.ask()), 'bank_unavailable');
  assert.deepEqual(silent.asked, [0, 1, 0, 1]);
  assert.deepEqual(silent.charged, [], 'it is no guess');
  assert.equal(codeOf(await stage(null).ask()), 'rail_not_enabled');
});

test('a result is cached for five minutes, a missing account for one minute, and the size of the cache is limited', async () => {
  const found = stage(FOUND);
  for (const ms of [0, 299_999, 1]) {
    found.pass(ms);
    assert.equal(codeOf(await found.ask()), 'found');
  }
  assert.equal(found.asked.length, 2);
  for (const number of ['0000000001', '0000000002', '0000000003', '0000000001']) await found.ask(number);
  assert.equal(found.asked.length, 6, 'the oldest of three was forgotten');
  const missing = stage({ kind: 'no_account' });
  for (const ms of [0, 59_999, 1]) {
    missing.pass(ms);
    assert.equal(codeOf(await missing.ask()), 'account_not_found');
  }
  assert.equal(missing.asked.length, 2);
  assert.deepEqual(missing.charged, [4, 4, 4], 'each guess costs more, also one from memory');
});
