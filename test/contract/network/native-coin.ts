// Runs a service on a local chain, for tests of its treasury's native coin. It has real settlement, a real store, and one real
// chain instead of a simulated network. The coin that the chain took must equal the postings in the ledger, to the last unit.
import assert from 'node:assert/strict';
import { makeSetUpRecords } from '../../../src/adapters/postgres/networks/network-identity.ts';
import { setUpNetwork } from '../../../src/app/networks/set-up-network.ts';
import { settleSetUps } from '../../../src/app/networks/settle-set-ups.ts';
import { readTreasuries, type TreasuryState } from '../../../src/app/treasury/read-treasuries.ts';
import type { LedgerEvent } from '../../../src/domain/ledger/ledger.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { SignedTransaction } from '../../../src/ports/networks/network-payer.ts';
import { type Store, StoreUnavailable } from '../../../src/ports/store/store.ts';
import { acceptance } from '../../http/store-fixtures.ts';
import { PAYER, type Rig } from '../../support/settlement.ts';
import { type ContractHarness, passSome } from './case.ts';
import type { Trouble } from './harness.ts';

const MANY_STEPS = 300;
const STEP_MS = 2_000;
let people = 0;

export type Company = Awaited<ReturnType<typeof openCompany>>;

export async function openCompany(rig: Rig, harness: ContractHarness, own: Network = harness.network) {
  const { name } = own;
  const ahead: Trouble[] = [];
  /** The next trouble applies to the next bytes that are broadcast for the first time. */
  const broadcast = async (prepared: SignedTransaction) => {
    const trouble = ahead.shift();
    if (trouble !== undefined) await harness.meet(trouble, prepared);
    return own.broadcast(prepared);
  };
  const process = rig.another({
    network: (simulated) => (simulated.name === name ? { ...own, broadcast } : {}),
    shortageOf: async () => 0n,
  });
  const pass = async () => {
    await harness.pass();
    rig.pass(STEP_MS);
  };
  await passSome(harness);
  const parts = { rig, harness, own, process, pass };
  return {
    rig,
    network: name,
    process,
    ahead,
    pass,
    /** The leases of an earlier process on the wallet and on the feeds expire in this time. */
    handOver: () => rig.pass(16_000),
    ...waitsOf(parts),
    ...ordersOf(parts),
    setUp: setUpOf(parts),
    ...(await booksOf(parts)),
  };
}

interface CompanyParts {
  readonly rig: Rig;
  readonly harness: ContractHarness;
  readonly own: Network;
  readonly process: ReturnType<Rig['another']>;
  readonly pass: () => Promise<void>;
}

function waitsOf({ rig, own, process, pass }: CompanyParts) {
  const until = async (what: string, holds: () => Promise<boolean>) => {
    for (let step = 0; step < MANY_STEPS; step++) {
      await process.run();
      if (await holds()) return;
      await pass();
    }
    const seen = await rig.rows(
      'select m.kind, m.state, m.reason, a.no, a.state as attempt, a.evidence from movements m left join movement_attempts a on a.movement_id = m.id where m.network = $1',
      own.name,
    );
    assert.fail(`never: ${what} ${JSON.stringify(seen)}`);
  };
  const untilAll = (ids: readonly string[], state: Transaction['state']) =>
    until(`${ids.length} ${state}`, async () => {
      const found = await Promise.all(ids.map((id) => rig.find(id)));
      return found.every((each) => each.state === state);
    });
  return { until, untilAll };
}

function ordersOf({ rig, harness, own, process }: CompanyParts) {
  const { name, asset } = own;
  const buyFor = async (address: string): Promise<string> => {
    const accountNumber = `${7_000_000_000 + ++people * 7_919}`;
    const amountMinor = 2_500_000n + BigInt(people) * 100n;
    const { id } = await rig.buy({ accountNumber, amountMinor, wallet: { network: name, address } });
    await rig.payIn({ payerAccount: accountNumber, amountMinor });
    return id;
  };
  const sellTo = async (): Promise<string> => {
    const { id, expiresAtMs, ...rest } = acceptance({
      ...{ type: 'sell', state: 'awaiting_deposit', vendor: null, wallet: null, amountMinor: 2_500_000n },
      accountName: PAYER.name,
    }).transaction;
    const target = harness.network.depositTarget(id);
    const expectedToken = rest.amountMinor * 10n ** BigInt(asset.decimals - 2);
    const instruction = {
      ...{ network: name, ...target, asset: asset.code, decimals: asset.decimals, expectedToken },
      ...{ confirmations: own.confirmations, expiresAtMs },
    };
    const transaction = { ...rest, id, expiresAtMs, deposits: [instruction] };
    const accepted = await process.deps.store.accept({ ...acceptance(), transaction });
    assert.deepEqual(accepted, { kind: 'created' });
    await harness.deposit(id, { address: target.address, memo: target.memo, amountMinor: expectedToken });
    return id;
  };
  return { buyFor, sellTo };
}

function setUpOf({ rig, harness, process, pass }: CompanyParts) {
  const { store } = process.deps;
  return async (changes: (real: Store) => Partial<Store> = () => ({})) =>
    setUpNetwork(
      {
        store: { ...store, ...changes(store) },
        setUps: makeSetUpRecords(rig.database),
        backOffice: { movementsPaused: async () => true },
        clock: { now: rig.now },
        sleep: pass,
        holder: 'a set-up',
        leaseMs: 15_000,
        patienceMs: 120_000,
        print: () => undefined,
        coins: (amountMinor) => `${amountMinor}`,
      },
      'test',
      await harness.setUp!(),
    );
}

async function booksOf({ rig, harness, own, process }: CompanyParts) {
  const { name } = own;
  const { store, networks } = process.deps;
  const none = async () => new Map<string, bigint>();
  const ledgerAudit = { unswept: none, idle: none };
  const read = async (): Promise<TreasuryState> => {
    const readings = await readTreasuries({ networks, store, ledgerAudit });
    return readings.find((each) => each.network === name) as TreasuryState;
  };
  const posted = async (): Promise<Partial<Record<LedgerEvent, number>>> => {
    const counts = await rig.rows<{ event: LedgerEvent; count: number }>(
      `select e.event, count(distinct e.id)::int as count from entries e join postings p on p.entry_id = e.id
        join accounts a on a.id = p.account_id where a.asset = $1 group by 1`,
      `${own.native!.asset}@${name}`,
    );
    return Object.fromEntries(counts.map(({ event, count }) => [event, count]));
  };
  const before = await read();
  const assertExplained = async () => {
    await passSome(harness, 12);
    const now = await read();
    const heldBy = ({ chain: { native } }: TreasuryState) => native.amountMinor + native.lockedMinor;
    const spent = now.coin.spentMinor - before.coin.spentMinor;
    const gained = now.coin.gainedMinor - before.coin.gainedMinor;
    assert.ok(spent > 0n);
    assert.equal(heldBy(before) - heldBy(now), spent - gained, `${name}: spent ${spent}, gained ${gained}`);
    assert.equal(now.coin.putInMinor, before.coin.putInMinor);
    return now;
  };
  return { read, posted, assertExplained };
}

export async function buysFor({ buyFor }: Company, wallets: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const wallet of wallets) ids.push(await buyFor(wallet));
  return ids;
}

export function walletsOf(harness: ContractHarness, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => harness.wallet()));
}

export async function payAndFail(company: Company, harness: ContractHarness): Promise<void> {
  company.handOver();
  await company.untilAll(await buysFor(company, await walletsOf(harness, 3)), 'completed');
  company.ahead.push('fails');
  const failing = await buysFor(company, await walletsOf(harness, 2));
  await company.untilAll(failing, 'completed');
  const tries = await company.rig.rows(
    `select a.state from movement_attempts a join movements m on m.id = a.movement_id
      where m.transaction_id = any ($1) and a.state = 'failed'`,
    failing,
  );
  assert.equal(tries.length, failing.length, 'each is charged its part of what failed');
}

export async function sweep(company: Company): Promise<void> {
  company.handOver();
  const ids = [await company.sellTo(), await company.sellTo()];
  await company.until('both are swept', async () => {
    const done = await company.rig.rows(
      "select from movements where transaction_id = any ($1) and kind = 'sweep' and state = 'done'",
      ids,
    );
    return done.length === ids.length;
  });
}

/** The command that runs the set-up dies before it records the outcome. The service then records the outcome once. */
export async function setUpInterrupted(company: Company): Promise<void> {
  const { rig, network } = company;
  company.handOver();
  const ends = async () =>
    (await rig.rows('select hash from set_up_ends where network = $1', network)).length;
  let stored = 0;
  await assert.rejects(
    company.setUp(({ commit }) => ({
      commit: async (changes) => {
        if (changes.some(({ setUpEnds }) => setUpEnds !== undefined))
          throw new StoreUnavailable('killed', { mayHaveActed: false });
        stored++;
        return commit(changes);
      },
    })),
    /killed/,
  );
  assert.deepEqual([stored, await ends()], [1, 0], 'it is signed and final, and its end is not recorded');
  const onError = (error: Error) => {
    throw error;
  };
  const deps = { ...company.process.deps, setUps: makeSetUpRecords(rig.database), onError };
  await Promise.all([settleSetUps(deps), settleSetUps(deps)]);
  await settleSetUps(deps);
  assert.equal(await ends(), 1);
}
