// Tests how a rail asks for approval before it pays. The service approves only its own exact order, and only while the outcome
// of the order is open. Each test has the real attempt of a payout in PostgreSQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/patience.ts';
import { openRailRig } from '../../../test/support/rails/rail-rig.ts';
import {
  NOT_SENT,
  PAID_ONCE,
  type ScriptedRail,
  scriptedRail,
} from '../../../test/support/rails/scripted-rail.ts';
import { makePayoutApprovals } from '../../adapters/postgres/rails/payout-approvals.ts';
import type { ApprovalRequest } from '../../domain/rails/approval-request.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';
import type { ParsedRailQuestion, Rail } from '../../ports/rails/rail.ts';
import type { PayoutStatus } from '../../ports/rails/rail-payouts.ts';
import { type ValidatePayoutDeps, validatePayout } from './validate-payout.ts';

const rig = await openRailRig();
const LOST: PayoutStatus = { kind: 'unknown', reason: 'the answer was lost' };
const QUESTION = { body: new Uint8Array(), headers: {}, address: '192.0.2.1', pathKey: null };

let named = 0;
async function railWith(...acts: NonNullable<Parameters<typeof scriptedRail>[1]>): Promise<ScriptedRail> {
  const rail = scriptedRail(`asking-${++named}`, acts, {}, PAID_ONCE);
  await rig.fund([rail]);
  return rail;
}

interface Stage {
  readonly read: ParsedRailQuestion;
  readonly paused?: boolean;
  readonly unwatched?: boolean;
  /** Undefined means that the catalogue may be out of date. */
  readonly catalogue?:
    | { readonly halts: ReadonlyMap<string, unknown>; readonly movementsPaused: boolean }
    | undefined;
  readonly database?: typeof rig.database;
}

async function ask({ rail }: ScriptedRail, stage: Stage) {
  const { read, paused = false, unwatched = false, database = rig.database } = stage;
  const known = 'catalogue' in stage ? stage.catalogue : { halts: new Map(), movementsPaused: paused };
  const alerts: Readonly<Record<string, unknown>>[] = [];
  const said: string[] = [];
  const validation = {
    place: 'bank',
    read: () => read,
    answer: (approved: boolean) => (approved ? 'YES' : 'NO'),
  };
  const asking: Rail = { ...rail, validation };
  const deps: ValidatePayoutDeps = {
    banks: { find: () => asking, enabled: (mode) => (mode === 'test' ? [asking] : []) },
    approvals: makePayoutApprovals(database),
    audit: { record: async ({ action, detail }) => void alerts.push({ action, ...detail }) },
    clock: { now: rig.now },
    catalogue: () => known as never,
    isUnwatched: () => unwatched,
    onForged: () => said.push('forged'),
    onRejected: () => said.push('rejected'),
    onPaused: () => said.push('paused'),
  };
  return { validated: await validatePayout(deps, 'bank', QUESTION), alerts, said };
}

const asked = (...orders: readonly ApprovalRequest[]): Stage => ({ read: { kind: 'asked', orders } });

async function orderOf(sell: { readonly id: string }): Promise<ApprovalRequest> {
  const [row] = await rig.rows<{ reference: string; naira_minor: string; destination: AccountDestination }>(
    `select a.reference, m.naira_minor, m.destination from movements m
     join movement_attempts a on a.movement_id = m.id and a.no = m.attempts
     where m.transaction_id = $1 and m.kind = 'payout'`,
    sell.id,
  );
  const { bankCode, accountNumber } = row!.destination;
  return { reference: row!.reference, amountMinor: BigInt(row!.naira_minor), bankCode, accountNumber };
}

async function openPayout(...acts: NonNullable<Parameters<typeof scriptedRail>[1]>) {
  const sell = await rig.depositedSell();
  const rail = await railWith(...acts);
  await rig.process([rail]).run();
  return { sell, rail, order: await orderOf(sell) };
}

const approvals = (reference: string) =>
  rig.rows<{ no: number; times: number }>(
    `select p.no, p.times from payout_approvals p join movement_attempts a using (movement_id, no) where a.reference = $1`,
    reference,
  );

async function assertRejected(rail: ScriptedRail, stage: Stage, why: string): Promise<void> {
  const { validated, alerts, said } = await ask(rail, stage);
  assert.deepEqual(validated, { kind: 'answered', approved: false, body: 'NO' });
  assert.deepEqual(said, ['rejected']);
  assert.deepEqual(
    alerts.map(({ action, why: reason }) => [action, reason]),
    [['payout.not_approved', why]],
  );
}

test('our order is approved while its outcome is open, even if the request is repeated, and never afterwards', async () => {
  const { sell, rail, order } = await openPayout(LOST);
  for (let time = 1; time <= 2; time++) {
    const { validated, said } = await ask(rail, asked(order));
    assert.deepEqual([validated, said], [{ kind: 'answered', approved: true, body: 'YES' }, []]);
    assert.deepEqual(await approvals(order.reference), [{ no: 1, times: time }]);
  }
  for (let look = 0; look < 8; look++) {
    rig.pass(6 * 60_000);
    await rig.process([rail]).run();
  }
  assert.equal((await rig.payoutOf(sell)).movement.state, 'done');
  await assertRejected(rail, asked(order), 'concluded');
  assert.deepEqual(await approvals(order.reference), [{ no: 1, times: 2 }], 'nothing was added');
});

test('another amount, even by one kobo, another account, bank or reference is rejected and causes an alert', async () => {
  const { rail, order } = await openPayout(LOST);
  const others: readonly (readonly [Partial<ApprovalRequest>, string])[] = [
    [{ amountMinor: order.amountMinor + 1n }, 'other_amount'],
    [{ amountMinor: order.amountMinor - 1n }, 'other_amount'],
    [{ accountNumber: '0000000009' }, 'other_account'],
    [{ bankCode: 'access-bank' }, 'other_account'],
    [{ bankCode: null }, 'other_account'],
    [{ reference: `${order.reference}-2` }, 'unknown_reference'],
    [{ reference: 'mov-00000000000000000000000000' }, 'unknown_reference'],
    [{ reference: 'salary' }, 'unknown_reference'],
  ];
  for (const [changes, why] of others) await assertRejected(rail, asked({ ...order, ...changes }), why);
  assert.deepEqual(await approvals(order.reference), []);
});

test('an order of another rail is not approved for this rail', async () => {
  const { order } = await openPayout(LOST);
  await assertRejected(await railWith(), asked(order), 'unknown_reference');
});

test('a batch is approved as a whole or not at all, and an order may occur in it only once', async () => {
  const { rail, order } = await openPayout(LOST);
  await assertRejected(rail, asked(order, { ...order, reference: 'salary' }), 'unknown_reference');
  await assertRejected(rail, asked(order, order), 'repeated_in_batch');
  assert.deepEqual(await approvals(order.reference), []);
  assert.deepEqual((await ask(rail, asked(order))).said, []);
});

test('a payout that its rail finally refused is no longer approved', async () => {
  const refused: PayoutStatus = { kind: 'failed', fault: 'payout', reason: 'no such account' };
  const { rail, order } = await openPayout(refused);
  await assertRejected(rail, asked(order), 'concluded');
});

test('many simultaneous requests, as from several processes, are all approved, and one approval is stored', async () => {
  const { rail, order } = await openPayout(LOST);
  // Each request has its own connection, and the service keeps nothing in memory.
  const all = await Promise.all(Array.from({ length: 4 }, () => ask(rail, asked(order))));
  assert.deepEqual(
    all.map(({ said }) => said),
    [[], [], [], []],
  );
  assert.deepEqual(await approvals(order.reference), [{ no: 1, times: 4 }]);
});

test('threat 56: an order that the rail requested approval for never counts as not sent, so no other rail gets it', async () => {
  const sell = await rig.depositedSell();
  let answer: Awaited<ReturnType<typeof ask>> | undefined;
  const first: ScriptedRail = await railWith(async () => {
    // An attacker who has the API key sends the same order, and then the service's own call fails.
    answer = await ask(first, asked(await orderOf(sell)));
    return NOT_SENT;
  });
  const second = await railWith();
  await rig.process([first, second]).run();
  assert.ok(answer?.validated.kind === 'answered' && answer.validated.approved);
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${first.rail.name} prepared`]);
  assert.deepEqual(second.given, []);
  for (let look = 0; look < 6; look++) {
    rig.pass(6 * 60_000);
    await rig.process([first, second]).run();
  }
  assert.deepEqual([first.paid.size, second.paid.size], [1, 0]);
  assert.equal((await rig.payoutOf(sell)).movement.state, 'done');
});

test('while payouts are paused a request is rejected without an alert', async () => {
  const { rail, order } = await openPayout(LOST);
  const { validated, alerts, said } = await ask(rail, { ...asked(order), paused: true });
  assert.deepEqual(
    [validated.kind === 'answered' && validated.approved, said, alerts],
    [false, ['paused'], []],
  );
});

test('a request is rejected while the pause state is unknown or naira in its mode are halted; other halts do not matter', async () => {
  const { rail, order } = await openPayout(LOST);
  const halted = (...names: readonly string[]) => ({
    catalogue: { halts: new Map(names.map((name) => [name, 'drift'])), movementsPaused: false },
  });
  for (const stage of [{ catalogue: undefined }, halted('test NGN'), halted('live NGN', 'test NGN')]) {
    const { validated, alerts, said } = await ask(rail, { ...asked(order), ...stage });
    assert.deepEqual(
      [validated.kind === 'answered' && validated.approved, said, alerts],
      [false, ['paused'], []],
    );
  }
  assert.deepEqual(await approvals(order.reference), []);
  const others = await ask(rail, { ...asked(order), ...halted('live NGN', 'test NGNC@Polygon') });
  assert.deepEqual(
    [others.validated.kind === 'answered' && others.validated.approved, others.said],
    [true, []],
  );
});

const aConnectionWaits = async () =>
  (
    await rig.rows<{ waits: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
    )
  )[0]!.waits;

test('threat 56: a process that ends an attempt during its approval waits, and is refused after the approval', async () => {
  const { rail, order } = await openPayout(LOST);
  let concluded: 'no' | 'yes' | 'refused' = 'no';
  let conclusion: Promise<void> | undefined;
  const conclude = async () => {
    try {
      await rig.rows(`update movement_attempts set state = 'dead' where reference = $1`, order.reference);
      concluded = 'yes';
    } catch (error) {
      assert.equal((error as { constraint?: string }).constraint, 'movement_attempts_approved_may_pay');
      concluded = 'refused';
    }
  };
  const database: typeof rig.database = {
    ...rig.database,
    transaction: (work) =>
      rig.database.transaction((client) => {
        const query = async (...given: readonly unknown[]) => {
          const result = await (client.query as (...all: readonly unknown[]) => Promise<unknown>)(...given);
          if (conclusion === undefined) {
            conclusion = conclude();
            await until(
              'it waits, or has ended',
              async () => concluded !== 'no' || (await aConnectionWaits()),
            );
          }
          return result;
        };
        return work({ query } as never);
      }),
  };
  const { validated } = await ask(rail, { ...asked(order), database });
  await conclusion;
  assert.ok(validated.kind === 'answered' && validated.approved);
  assert.equal(concluded, 'refused', 'an order that was approved may be paid');
});

test('threat 56: a request for an order whose attempt is being ended is decided after the attempt has ended', async () => {
  const { rail, order } = await openPayout(LOST);
  let answered = false;
  let answer: ReturnType<typeof ask> | undefined;
  await rig.database.transaction(async (client) => {
    await client.query(`update movement_attempts set state = 'failed' where reference = $1`, [
      order.reference,
    ]);
    answer = ask(rail, asked(order)).finally(() => {
      answered = true;
    });
    await until('it waits, or has answered', async () => answered || (await aConnectionWaits()));
  });
  const { validated } = await answer!;
  assert.ok(validated.kind === 'answered' && !validated.approved, 'it is concluded');
  assert.deepEqual(await approvals(order.reference), []);
});

test('a forged request is not written to the audit log; an unreadable request, or one about another account, is', async () => {
  const rail = await railWith();
  const forged = await ask(rail, { read: { kind: 'forged' } });
  assert.deepEqual([forged.validated.kind, forged.said, forged.alerts], ['forged', ['forged'], []]);
  const unreadable = await ask(rail, { read: { kind: 'unreadable', why: 'has no amount' } });
  assert.deepEqual(unreadable.validated, { kind: 'unreadable', why: 'has no amount' });
  assert.equal(unreadable.alerts[0]!.why, 'unreadable');
  await assertRejected(rail, { read: { kind: 'other_account' } }, 'other_payout_account');
});

test('if the database is unreachable, the response is an error and not an approval', async () => {
  const { rail, order } = await openPayout(LOST);
  const away = { transaction: () => Promise.reject(new Error('away')) } as never;
  await assert.rejects(ask(rail, { ...asked(order), database: away }), /away/);
});
