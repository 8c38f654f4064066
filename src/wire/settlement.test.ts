// Tests what a process leases from its queues. It covers the time while money movements are paused and while the process does
// not know whether they are paused. It also covers the time before its port listens and after it begins to stop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { eventually } from '../../test/http/helpers.ts';
import { databaseWithKeys } from '../../test/http/store-fixtures.ts';
import { makeSystemEntropy } from '../adapters/system.ts';
import { makeGuards } from '../app/treasury/guards.ts';
import { readConfig } from '../config.ts';
import type { CatalogueSnapshot } from '../ports/catalogue.ts';
import { openSettlement, type SettlementParts } from './settlement.ts';

const MOVE_MONEY = ['paid, awaiting_trustline', 'deposited', 'movements'];

test('threat 49: no record that moves money is leased while paused, while the catalogue is outdated, before listening, or while stopping', async (t) => {
  const { url, database } = await databaseWithKeys();
  const leased: string[] = [];
  const nothing = async (what: string) => {
    leased.push(what);
    return [];
  };
  const store = {
    leaseCredits: () => nothing('credits'),
    leaseDeposits: () => nothing('deposits'),
    leaseNotices: () => nothing('notices'),
    leaseTransactions: (states: readonly string[]) => nothing(states.join(', ')),
    leaseMovements: () => nothing('movements'),
    leaseEndedPayouts: async () => [],
    holdFeed: async () => undefined,
    transactionsById: async () => new Map(),
  };
  let snapshot: Pick<CatalogueSnapshot, 'movementsPaused'> | undefined = { movementsPaused: true };
  let [isListening, isDraining] = [true, false];
  const parts = {
    ...{ store, database, clock: { now: () => Date.now() }, entropy: makeSystemEntropy() },
    connection: { connectionString: url },
    networks: { enabled: () => [], disabled: () => [] },
    simulation: {
      bank: { name: 'simulated', account: null, payouts: null, statement: null },
      plays: { lease: async () => [] },
    },
    bankRails: { enabled: () => [], find: () => undefined },
    catalogue: { current: () => snapshot },
    ...{ isListening: () => isListening, isDraining: () => isDraining },
    guards: makeGuards({ clock: { now: () => 0 } }),
  } as unknown as SettlementParts;
  const settlement = await openSettlement(readConfig({}), parts, pino({ level: 'silent' }), () => undefined);
  t.after(async () => {
    await settlement.stop();
    await database.close();
  });
  const isLeased = (what: string, times: number) => () =>
    leased.filter((each) => each === what).length >= times;
  const moving = { movementsPaused: false };
  for (const [known, listens, drains] of [
    [{ movementsPaused: true }, true, false],
    [undefined, true, false],
    [moving, false, false],
    [moving, true, true],
  ] as const) {
    [snapshot, isListening, isDraining] = [known, listens, drains];
    leased.length = 0;
    for (const what of ['credits', 'deposits', 'notices'])
      await eventually(isLeased(what, 3), `${what} are leased all the same`);
    assert.deepEqual(
      leased.filter((each) => MOVE_MONEY.includes(each)),
      [],
    );
  }
  [snapshot, isListening, isDraining] = [moving, true, false];
  for (const what of MOVE_MONEY) await eventually(isLeased(what, 1), `${what} are leased again`);
});
