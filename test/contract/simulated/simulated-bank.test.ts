// The simulated bank keeps the contract of a bank, in memory and in PostgreSQL.
import { simulatedBank } from '../../../src/adapters/banks/simulated/bank.ts';
import { type BankHarness, bankContract } from '../bank.ts';
import { inMemory, inPostgres, makeStages, type Stage } from './simulated-world.ts';

function harness(stage: Stage): BankHarness {
  const bank = simulatedBank(stage.simulation);
  return {
    bank,
    restarted: () => simulatedBank(stage.restarted()),
    trouble: (reference, kind) => stage.meets('pay', reference, kind),
    untilSettled: stage.untilSettled,
    paidTimes: async (reference) => {
      const payout = await stage.simulation.world.payouts.find({ reference });
      return payout === undefined || payout.fate === 'fails' ? 0 : 1;
    },
    outside: bank,
    noAccount: '0000000000',
  };
}

const inMemoryStages = makeStages(inMemory());
bankContract('in memory', () => harness(inMemoryStages()));
const inPostgresStages = makeStages(await inPostgres());
bankContract('in PostgreSQL', () => harness(inPostgresStages()));
