// Tests that the simulated bank passes the contract of a rail, both in memory and in PostgreSQL.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { makeSimulatedBank } from '../../../src/adapters/rails/simulated/bank.ts';
import { type BankHarness, TROUBLES, type Trouble } from '../bank/harness.ts';
import { bankContract } from '../bank/suite.ts';
import { inMemory, inPostgres, makeStages, type Stage } from './simulated-world.ts';

const STEP_MS = 15;

const MEETS: Readonly<Partial<Record<Trouble, readonly [operation: string, kind: string]>>> = {
  pay_not_sent: ['pay', 'no_connection'],
  pay_answer_lost: ['pay', 'answer_lost'],
  pay_unclear: ['pay', 'unclear'],
  pay_not_found: ['pay', 'missing'],
  pay_refused: ['pay', 'fails'],
  ask_lost: ['ask', 'no_connection'],
  enquiry_lost: ['enquire', 'no_connection'],
  read_lost: ['statement', 'no_connection'],
};

function harness(stage: Stage, another: () => Promise<BankHarness>): BankHarness {
  const bank = makeSimulatedBank(stage.simulation);
  return {
    rail: bank,
    restarted: () => makeSimulatedBank(stage.restarted()),
    account: { bankCode: '058', accountNumber: '0123456785', accountName: 'Ada Obi' },
    noAccount: '0000000000',
    troubles: new Set(TROUBLES.filter((trouble) => trouble in MEETS)),
    meet: async (trouble, subject) => {
      const [operation, kind] = MEETS[trouble]!;
      stage.meets(operation, subject === '' ? operation : subject, kind);
    },
    pass: async () => stage.setTo(stage.now() + STEP_MS),
    paid: async (reference) => {
      const payout = await stage.simulation.world.payouts.find({ reference });
      return payout === undefined || payout.fate === 'fails' ? [] : [payout.amountMinor];
    },
    outside: {
      manyLines: 501,
      repeats: true,
      payIn: async (arriving, times) => {
        const sourceId = randomUUID();
        const credit = {
          ...arriving,
          ...{ accountNumber: '1234567890', accountBankCode: '058', payerAccount: '******6785' },
          ...{ payerBankName: 'Some Bank', narration: null, sessionId: null },
        };
        await bank.payIn(sourceId, credit, times);
        return { kind: 'credit', sourceId, ...credit };
      },
      reverse: async (sourceId) => assert.ok(await bank.reverse(sourceId)),
      returnPayout: async (reference) => assert.ok(await bank.returnPayout(reference)),
    },
    another,
    close: async () => undefined,
  };
}

function harnesses(stages: () => Stage, others: () => Stage): () => Promise<BankHarness> {
  return async () => harness(stages(), harnesses(others, stages));
}

const inMemoryStages = makeStages(inMemory());
bankContract('in memory', harnesses(inMemoryStages, inMemoryStages));
bankContract('in PostgreSQL', harnesses(makeStages(await inPostgres()), makeStages(await inPostgres())));
