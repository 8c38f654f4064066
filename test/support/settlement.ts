// Runs settlement step by step: the real store on PostgreSQL, the simulated bank and networks in memory, a clock that the test
// moves, and any number of processes. A script can make the ports of each process fail.
import assert from 'node:assert/strict';
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { makeNetworks, makeSimulatedNetworks } from '../../src/adapters/networks/registry.ts';
import type { SimulatedNetwork } from '../../src/adapters/networks/simulated/network.ts';
import { makeBackOffice } from '../../src/adapters/postgres/back-office/back-office.ts';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import { makeSimulatedBank, type SimulatedBank } from '../../src/adapters/rails/simulated/bank.ts';
import { makeSandbox } from '../../src/adapters/simulation/sandbox.ts';
import { makeChance } from '../../src/adapters/simulation/simulation.ts';
import { fundTestMode } from '../../src/app/sandbox/fund-test-mode.ts';
import { UNNAMED_FULL_KEY } from '../../src/domain/catalogue/secret-keys.ts';
import type { Transaction } from '../../src/domain/records/transaction.ts';
import type { Policy } from '../../src/domain/settlement/policy.ts';
import type { BackOffice, SettingWrites } from '../../src/ports/back-office.ts';
import type { Sandbox, SandboxCredit } from '../../src/ports/sandbox.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { acceptance, databaseWithKeys, KEY, NOW, openTestDatabase } from '../http/store-fixtures.ts';
import { makeMemoryWorld } from './memory-world.ts';
import { type Outside, openProcess, type SettlementProcess } from './settlement-process.ts';

export const PAYER = { account: '0123456785', name: 'Adaeze Okafor', bank: 'GTBank' } as const;
export const POLYGON_WALLET = {
  network: 'Polygon',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
} as const;
const VENDOR_NUMBER = '9900000011';
const PACE_MS = 100;
const STEP_MS = 200;
/** If nothing happened for some steps, the test is waiting for a lease or a pause, so the steps become longer. */
const LONG_STEP_MS = 1_000;
const IDLE_STEPS = 5;
const MAX_STEPS = 200;

export interface Rig extends SettlementProcess {
  readonly database: Database;
  readonly backOffice: BackOffice & SettingWrites;
  readonly bank: SimulatedBank;
  readonly sandbox: Sandbox;
  network(name: string): SimulatedNetwork;
  now(): number;
  pass(ms: number): void;
  /** Gives this fault to the next such call. `*` means any subject. */
  meets(operation: string, subject: string, kind: string): void;
  another(outside?: Outside): SettlementProcess;
  addBusiness(id: string): Promise<void>;
  buy(changes?: Partial<Transaction>): Promise<Transaction>;
  sell(changes?: Partial<Transaction>, networks?: readonly string[]): Promise<Transaction>;
  payIn(
    changes?: Partial<SandboxCredit> & { readonly id?: string; readonly copies?: number },
  ): Promise<string>;
  depositFor(
    sell: Transaction,
    kobo: bigint,
    more?: { network?: string; id?: string; ourToken?: boolean },
  ): Promise<string>;
  find(id: string): Promise<Transaction>;
  /** Lets time pass and does all due work until the transaction is in one of the states. */
  until(id: string, ...states: readonly string[]): Promise<Transaction>;
  passing(ms: number, stepMs?: number): Promise<void>;
  rows<Row extends Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row[]>;
  /**
   * The sums of the ledger entries about these subjects, by names such as `NGN owed`. Debits are positive, and amounts are in
   * minor units.
   */
  books(...subjects: readonly string[]): Promise<Record<string, bigint>>;
  events(subject: string): Promise<readonly string[]>;
}

export async function openRig(policy: Partial<Policy> = {}): Promise<Rig> {
  const { url, database } = await databaseWithKeys();
  let nowMs = NOW;
  const clock = { now: () => nowMs };
  const { chance, script } = scriptedChance();
  const simulation = { world: makeMemoryWorld(), clock, chance, paceMs: PACE_MS };
  const bank = makeSimulatedBank(simulation);
  const networks = makeSimulatedNetworks({ offCurve: 'accept' }, simulation);
  const sandbox = makeSandbox(bank, networks);
  const directory = loadBankDirectory();
  const backOffice = makeBackOffice(database);
  const open = (on: Database, outside: Outside = {}) =>
    openProcess({ database: on, clock, bank, networks, directory, policy, outside });
  const main = open(database);
  const { store } = main.deps;
  await fundTestMode({
    store,
    clock,
    networks: makeNetworks({ live: [], test: networks }),
    opens: () => true,
  });
  let named = 0;
  const pass = (ms: number) => {
    nowMs += ms;
  };

  const network = (name: string) => networks.find((each) => each.name === name)!;

  const orders = makeOrders({ database, store, network, now: clock.now });
  return {
    ...main,
    ...orders,
    ...lookInto(database),
    database,
    backOffice,
    bank,
    sandbox,
    network,
    now: () => nowMs,
    pass,
    meets: (operation, subject, kind) => script.push({ operation, subject, kind }),
    another: (outside) => open(openTestDatabase(url, 3), outside),
    addBusiness: (id) => addBusiness(backOffice, id, nowMs),
    payIn: async ({ id = `credit-${++named}`, copies = 1, ...changes } = {}) => {
      await bank.payIn(id, { ...CREDIT, ...changes }, copies);
      return id;
    },
    depositFor: async (
      sell,
      kobo,
      { network: name = 'Polygon', id = `arrival-${++named}`, ourToken = true } = {},
    ) => {
      const { asset, arrive, depositTarget } = network(name);
      const amountMinor = kobo * 10n ** BigInt(asset.decimals - 2);
      return arrive(id, { ...depositTarget(sell.id), amountMinor, ourToken });
    },
    until: async (id, ...states) => {
      const reached = await runUntil(main, pass, async () => {
        const transaction = await orders.find(id);
        return states.includes(transaction.state) ? transaction : undefined;
      });
      if (reached !== undefined) return reached;
      return assert.fail(`${id} never came to ${states}: ${JSON.stringify(await timelineOf(store, id))}`);
    },
    passing: async (ms, stepMs = 500) => {
      for (const endMs = nowMs + ms; nowMs < endMs; nowMs = Math.min(endMs, nowMs + stepMs)) await main.run();
      await main.run();
    },
  };
}

async function runUntil<Found>(
  process: SettlementProcess,
  pass: (ms: number) => void,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let idle = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    idle = (await process.run()) || step === 0 ? 0 : idle + 1;
    // If there was no work, nothing has changed, so the result is not read again.
    const found = idle > 0 ? undefined : await look();
    if (found !== undefined) return found;
    pass(idle < IDLE_STEPS ? STEP_MS : LONG_STEP_MS);
  }
}

function scriptedChance() {
  const script: { operation: string; subject: string; kind: string }[] = [];
  const chance = {
    ...makeChance({ seed: 'rig', faultPercent: 0 }),
    trouble: <Kind extends string>(operation: string, subject: string, kinds: readonly Kind[]) => {
      const index = script.findIndex(
        (each) => each.operation === operation && (each.subject === '*' || each.subject === subject),
      );
      const kind = kinds.find((each) => each === script[index]?.kind);
      if (kind !== undefined) script.splice(index, 1);
      return kind;
    },
  };
  return { chance, script };
}

function makeOrders(parts: {
  readonly database: Database;
  readonly store: Store;
  readonly network: Rig['network'];
  readonly now: () => number;
}): Pick<Rig, 'buy' | 'sell' | 'find'> {
  const { database, store, network, now } = parts;
  const accept = async (transaction: Transaction): Promise<Transaction> => {
    const given = { ...acceptance(), transaction, keyId: await keyOf(database, transaction.businessId) };
    assert.deepEqual(await store.accept(given), { kind: 'created' });
    if (transaction.type === 'buy') await store.hastenCredits([transaction], now());
    return transaction;
  };
  const made = (changes: Partial<Transaction>): Transaction => {
    const expiresAtMs = changes.expiresAtMs ?? now() + 86_400_000;
    const times = { createdAtMs: now(), updatedAtMs: now(), expiresAtMs, dueAtMs: expiresAtMs };
    return acceptance({ ...times, ...changes }).transaction;
  };
  return {
    find: async (id) => (await store.transactionsById([id])).get(id)!,
    buy: (changes = {}) => accept(made(changes)),
    sell: (changes = {}, names = ['Polygon']) => {
      const base = made({
        type: 'sell',
        state: 'awaiting_deposit',
        vendor: null,
        wallet: null,
        amountMinor: 2_500_000n,
      });
      const sell = { ...base, accountName: PAYER.name, ...changes };
      return accept({ ...sell, deposits: names.map((name) => instruction(network(name), sell)) });
    },
  };
}

function lookInto(database: Database): Pick<Rig, 'rows' | 'books' | 'events'> {
  const rows: Rig['rows'] = async <Row extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
    (await database.query<Row>({ text, values })).rows;
  return {
    rows,
    books: async (...subjects) => {
      const sums = await rows<{ account: string; sum: string }>(
        `select a.asset || ' ' || a.name as account, sum(p.amount_minor) as sum
         from entries e join postings p on p.entry_id = e.id join accounts a on a.id = p.account_id
         where e.subject_id = any ($1::text[]) group by 1 having sum(p.amount_minor) <> 0 order by 1`,
        subjects,
      );
      return Object.fromEntries(sums.map(({ account, sum }) => [account, BigInt(sum)]));
    },
    events: async (subject) => {
      const entries = await rows<{ event: string }>(
        'select event from entries where subject_id = $1 order by committed_by, id',
        subject,
      );
      return entries.map(({ event }) => event);
    },
  };
}

async function addBusiness(backOffice: BackOffice, id: string, atMs: number): Promise<void> {
  const doing = { actor: 'test', atMs };
  await backOffice.addBusiness({ id, name: id, linkTag: id.replace('_', '-'), sandbox: false }, doing);
  const key = { id: `key_${id}`, businessId: id, mode: 'test', hash: `hash ${id}`, hint: 'sk' } as const;
  await backOffice.addKey({ ...key, ...UNNAMED_FULL_KEY }, doing);
}

const CREDIT: SandboxCredit = {
  accountNumber: VENDOR_NUMBER,
  accountBankCode: null,
  amountMinor: 1_500_050n,
  payerAccount: PAYER.account,
  payerBankName: PAYER.bank,
  payerName: PAYER.name,
  narration: null,
  sessionId: null,
};

function instruction({ name, asset, confirmations, depositTarget }: SimulatedNetwork, sell: Transaction) {
  return {
    network: name,
    ...depositTarget(sell.id),
    asset: asset.code,
    decimals: asset.decimals,
    expectedToken: sell.amountMinor * 10n ** BigInt(asset.decimals - 2),
    confirmations,
    expiresAtMs: sell.expiresAtMs,
  };
}

async function keyOf(database: Database, businessId: string): Promise<string> {
  const text = `select id from api_keys where business_id = $1 and mode = 'test'`;
  const { rows } = await database.query<{ id: string }>({ text, values: [businessId] });
  return rows[0]?.id ?? KEY;
}

async function timelineOf(store: Store, id: string): Promise<readonly string[]> {
  return (await store.timeline(id)).map(({ from, to, reason }) => `${from} -> ${to}: ${reason}`);
}
