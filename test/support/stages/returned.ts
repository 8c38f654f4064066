// Sells and refunds that a bank returned or paid after all, and the two people who decide about them.
import assert from 'node:assert/strict';
import { makeReviewStore } from '../../../src/adapters/postgres/review/review-store.ts';
import { proposeReview } from '../../../src/app/review/propose-review.ts';
import { readBankFeed } from '../../../src/app/settlement/record-lines.ts';
import { ledgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import { bankReference, type Movement } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { ReviewRequest } from '../../../src/domain/review/proposal.ts';
import type { NoticeLine } from '../../../src/ports/rails/rail-statement.ts';
import { decideAs } from '../people/reviewers.ts';
import { openRig, POLYGON_WALLET, type Rig } from '../settlement.ts';

export const CORRECTED = {
  bankCode: 'guaranty-trust-bank',
  accountNumber: '0123456785',
  accountName: 'Adaeze Okafor',
} as const;

type Asked = Pick<ReviewRequest, 'action' | 'subjectId' | 'detail'> extends infer One ? One : never;

export async function openReturnedStage(policy: Parameters<typeof openRig>[0] = {}) {
  const rig = await openRig(policy);
  const review = {
    ...rig.deps,
    treasuryWatch: rig.treasuryWatch,
    reviewDesk: makeReviewStore(rig.database),
    banks: rig.deps.directory,
  };
  const { reported, about } = makeStatement(rig);

  const propose = (request: Asked, actor = 'per_ada') =>
    proposeReview(review, { ...(request as ReviewRequest), actor });
  const approve = (proposalId: string, actor = 'per_musa') =>
    decideAs(rig.database, review, { proposalId, actor, approve: true, reason: 'looked at' });
  const agree = async (request: Asked) => {
    const proposed = await propose(request);
    return proposed.ok ? approve(proposed.value.id) : proposed;
  };

  const { payoutsOf, casesOf } = makeReads(rig);

  const completedSell = async (
    changes: Partial<Transaction> = {},
  ): Promise<{ sell: Transaction; payout: Movement }> => {
    const sell = await rig.sell({ wallet: POLYGON_WALLET, ...changes });
    await rig.depositFor(sell, sell.amountMinor);
    await rig.until(sell.id, 'completed');
    const payout = (await rig.deps.store.movementsOf([sell.id])).find(({ kind }) => kind === 'payout')!;
    return { sell, payout };
  };

  return {
    rig,
    review,
    reported,
    about,
    propose,
    approve,
    agree,
    payoutsOf,
    casesOf,
    completedSell,
    returnedSell: async (changes: Partial<Transaction> = {}, keptMinor = 0n) => {
      const { sell, payout } = await completedSell(changes);
      await reported(about('payout_returned', payout, payout.nairaMinor - keptMinor));
      const [opened] = await casesOf(payout.id);
      assert.equal((await rig.find(sell.id)).state, 'on_hold');
      return { sell, payout, caseId: opened!.id };
    },
    payAgain: (subjectId: string, account: object = CORRECTED) =>
      agree({ action: 'pay_again', subjectId, detail: { account } } as Asked),
    balance: async (name: Parameters<typeof ledgerKey>[2]) => {
      const key = ledgerKey('test', 'NGN', name);
      return (await rig.deps.store.balances([key])).get(key) ?? 0n;
    },
    paidByBank: async (transactionId: string) =>
      (await rig.bank.paidOut(transactionId)).map(({ accountNumber, amountMinor }) => [
        accountNumber,
        amountMinor,
      ]),
  };
}

function makeStatement(rig: Rig) {
  let lines = 0;

  /** The bank's statement reports these lines once. Then the process does all due work. */
  const reported = async (...said: readonly Omit<NoticeLine, 'raw' | 'sourceId'>[]): Promise<void> => {
    const saying = rig.another({
      bank: {
        statement: async (position) => ({
          lines: said.map((line) => ({ ...line, sourceId: `line ${++lines}`, raw: {} })),
          position: position ?? '0',
        }),
      },
    });
    // The other process holds the lease on the feed until the lease ends.
    rig.pass(20_000);
    await readBankFeed(saying.deps, 'test', saying.rail);
    rig.pass(20_000);
    await rig.passing(1_000);
  };
  const about = (kind: NoticeLine['kind'], { id, nairaMinor }: Movement, amountMinor = nairaMinor) => ({
    ...{ kind, about: bankReference(id), amountMinor },
  });
  return { reported, about };
}

function makeReads(rig: Rig) {
  const payoutsOf = (sell: Transaction | string) =>
    rig.rows<{ id: string; state: string; account: string }>(
      `select id, state, destination ->> 'accountNumber' as account from movements
        where transaction_id = $1 and kind = 'payout' order by created_at, id`,
      typeof sell === 'string' ? sell : sell.id,
    );
  const casesOf = (movementId: string) =>
    rig.rows<{ id: string; kind: string; outcome: string | null; closed_by: string | null }>(
      'select id, kind, outcome, closed_by from cases where movement_id = $1 order by id',
      movementId,
    );
  return { payoutsOf, casesOf };
}
