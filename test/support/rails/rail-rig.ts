// A rig with payouts on scripted rails: sells whose tokens have arrived, naira in the accounts of the rails, and the results.
import { payoutAccountOf } from '../../../src/app/movements/payouts/choose-rail.ts';
import { entryOf } from '../../../src/domain/ledger/ledger.ts';
import type { Attempt, Movement } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { openRig, POLYGON_WALLET, type Rig } from '../settlement.ts';
import type { Outside, SettlementProcess } from '../settlement-process.ts';
import { SCRIPTED_TERMS, type ScriptedRail } from './scripted-rail.ts';

const PLENTY = 10n ** 11n;

export async function openRailRig(given?: Rig) {
  const rig = given ?? (await openRig());
  const { store } = rig.deps;
  const fund = async (rails: readonly Pick<ScriptedRail, 'rail'>[], amountMinor = PLENTY) => {
    const entries = rails.map(({ rail }) =>
      entryOf('float_funded', {
        ...{ mode: 'test', subjectId: 'setup', payoutAccount: payoutAccountOf(rail) },
        amounts: { amount: amountMinor },
      }),
    );
    await store.commit([{ atMs: rig.now(), entries }]);
  };
  const process = (rails: readonly ScriptedRail[], more: Outside = {}): SettlementProcess =>
    rig.another({ ...more, rails: () => rails.map(({ rail }) => rail) });
  const attemptsOf = async (movement: Movement): Promise<readonly Attempt[]> =>
    (
      await rig.rows<{ no: number; rail: string; state: Attempt['state']; reference: string }>(
        'select no, rail, state, reference from movement_attempts where movement_id = $1 order by no',
        movement.id,
      )
    ).map((row) => row as unknown as Attempt);
  return {
    ...rig,
    fund,
    process,
    depositedSell: async (changes: Partial<Transaction> = {}): Promise<Transaction> => {
      const sell = await rig.sell({ wallet: POLYGON_WALLET, ...changes });
      await rig.depositFor(sell, sell.amountMinor);
      const doing = { actor: 'test', atMs: rig.now() };
      await rig.backOffice.setMovementsPaused(true, 'test', doing);
      await rig.until(sell.id, 'deposited');
      await rig.backOffice.setMovementsPaused(false, 'test', doing);
      rig.pass(16_000);
      return sell;
    },
    payoutOf: async (sell: Transaction) => {
      const movement = (await store.movementsOf([sell.id])).find(({ kind }) => kind === 'payout')!;
      const attempts = await attemptsOf(movement);
      return { movement, story: attempts.map(({ rail, state }) => `${rail} ${state}`), attempts };
    },
    /** Lets the time pass in which the process confirms a refusal, including both queries. */
    makeSure: async (process: SettlementProcess) => {
      for (const waitMs of [SCRIPTED_TERMS.confirmAfterMs, SCRIPTED_TERMS.confirmAgainMs]) {
        rig.pass(waitMs + 1);
        await process.run();
      }
    },
    /** Returns the reserved amount and the paid amount in the account of a rail, according to the ledger. */
    booksOf: async ({ rail }: ScriptedRail, subject: string) => {
      const rows = await rig.rows<{ name: string; sum: string }>(
        `select a.name, sum(p.amount_minor) as sum from entries e join postings p on p.entry_id = e.id
         join accounts a on a.id = p.account_id where e.subject_id = $1 and a.key like '%/' || $2
         group by 1 having sum(p.amount_minor) <> 0 order by 1`,
        subject,
        payoutAccountOf(rail),
      );
      return Object.fromEntries(rows.map(({ name, sum }) => [name, BigInt(sum)]));
    },
  };
}
