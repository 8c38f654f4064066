// One process's worth of settlement without its timers: every stage in turn, until nothing is due. Its bank, networks
// and store are the real ones, or scripted over them.
import { makeNetworks } from '../../src/adapters/networks/registry.ts';
import type { SimulatedNetwork } from '../../src/adapters/networks/simulated/network.ts';
import { readSnapshot } from '../../src/adapters/postgres/catalogue-rows.ts';
import type { Database } from '../../src/adapters/postgres/database.ts';
import { makePostgresStore } from '../../src/adapters/postgres/store.ts';
import { systemEntropy } from '../../src/adapters/system.ts';
import type { Sent } from '../../src/app/broadcast.ts';
import { confirmDeposits } from '../../src/app/confirm-deposits.ts';
import { expireTransactions } from '../../src/app/expire-transactions.ts';
import { followMovements } from '../../src/app/follow-movements.ts';
import { handleNotices } from '../../src/app/handle-notices.ts';
import { matchCredits } from '../../src/app/match-credits.ts';
import { observeDeposits } from '../../src/app/observe-deposits.ts';
import { payOut } from '../../src/app/pay-out.ts';
import { readBankFeed } from '../../src/app/read-bank-feed.ts';
import { sendTokens } from '../../src/app/send-tokens.ts';
import { claimOf, type SettlementDeps } from '../../src/app/settlement.ts';
import { readConfig } from '../../src/config.ts';
import type { BankDirectory } from '../../src/domain/banks.ts';
import type { BankCredit } from '../../src/domain/credit.ts';
import type { Policy } from '../../src/domain/policy.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import type { Bank } from '../../src/ports/bank.ts';
import type { CatalogueSnapshot } from '../../src/ports/catalogue.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Network } from '../../src/ports/network.ts';
import type { Screening } from '../../src/ports/screening.ts';
import type { Store } from '../../src/ports/store.ts';

/** What a test puts in the place of what is there. */
export interface Outside {
  readonly bank?: Partial<Bank>;
  readonly network?: (real: SimulatedNetwork) => Partial<Network>;
  readonly store?: (real: Store) => Partial<Store>;
  readonly screening?: Screening;
}

export interface Trouble {
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface SettlementProcess {
  readonly deps: SettlementDeps;
  readonly troubles: Trouble[];
  /** Everything that is due now, and what follows from it. */
  run(): Promise<void>;
}

const LEASE_MS = 15_000;
const LIMIT = 50;
const MAX_TURNS = 100;

export function openProcess(parts: {
  readonly database: Database;
  readonly clock: Clock;
  readonly bank: Bank;
  readonly networks: readonly SimulatedNetwork[];
  readonly directory: BankDirectory;
  readonly policy: Partial<Policy>;
  readonly outside: Outside;
}): SettlementProcess {
  const { database, clock, outside } = parts;
  const real = makePostgresStore(database);
  const entropy = systemEntropy();
  const bank: Bank = { ...parts.bank, ...outside.bank };
  const networks = parts.networks.map((each) => ({ ...each, ...outside.network?.(each) }));
  const { policies } = readConfig({});
  const troubles: Trouble[] = [];
  let snapshot: CatalogueSnapshot | undefined;
  const sent: Sent[] = [];
  const deps: SettlementDeps = {
    store: { ...real, ...outside.store?.(real) },
    clock,
    entropy,
    networks: makeNetworks({ live: [], test: networks }),
    banks: { find: (mode) => (mode === 'test' ? bank : undefined) },
    directory: parts.directory,
    screening: outside.screening ?? { screen: async () => [] },
    catalogue: () => snapshot!,
    moving: () => snapshot?.movementsPaused === false,
    policies: { ...policies, test: { ...policies.test, ...parts.policy } },
    leaseMs: LEASE_MS,
    holder: `process ${Buffer.from(entropy.bytes(6)).toString('hex')}`,
    onTrouble: (message, detail) => troubles.push({ message, detail }),
  };
  return {
    deps,
    troubles,
    run: async () => {
      snapshot = await readSnapshot(database, 1);
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        if (!(await runOnce(deps, bank, networks, sent))) return;
        snapshot = await readSnapshot(database, 1);
      }
      throw new Error('there is always something due');
    },
  };
}

/** Whether there was anything to do. `sent`: what this process has sent and goes on with itself. */
async function runOnce(
  deps: SettlementDeps,
  bank: Bank,
  networks: readonly Network[],
  sent: Sent[],
): Promise<boolean> {
  const { store } = deps;
  const claim = claimOf(deps, LIMIT);
  let done = 0;
  const failures: unknown[] = [];
  // One stage that fails stops no other; the run fails at its end.
  const work = async <Item>(items: readonly Item[], step: (items: readonly Item[]) => Promise<unknown>) => {
    done += items.length;
    if (items.length > 0) await step(items).catch((error: unknown) => failures.push(error));
  };
  const reading = await readBankFeed(deps, 'test', bank);
  done += reading?.lines ?? 0;
  for (const network of networks) done += (await observeDeposits(deps, 'test', network)) ?? 0;
  const paid: Transaction[] = [];
  const match = async (credits: readonly BankCredit[]) => {
    paid.push(...(await matchCredits(deps, credits)));
  };
  await work(reading?.credits ?? [], match);
  await work(await store.claimCredits(claim), match);
  await work(await store.claimNotices(claim), (notices) => handleNotices(deps, notices));
  const deposited: Transaction[] = [];
  await work(await store.claimDeposits(claim), async (deposits) => {
    deposited.push(...(await confirmDeposits(deps, deposits)));
  });
  await work(
    await store.claimTransactions(['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit'], claim),
    (transactions) => expireTransactions(deps, transactions),
  );
  if (failures.length > 0) throw failures[0];
  if (!deps.moving()) return done > 0;
  const send = async (transactions: readonly Transaction[]) => {
    sent.push(...(await sendTokens(deps, transactions)));
  };
  await work(paid, send);
  await work(await store.claimTransactions(['paid', 'awaiting_trustline'], claim), send);
  await work(deposited, (transactions) => payOut(deps, transactions));
  await work(await store.claimTransactions(['deposited'], claim), (each) => payOut(deps, each));
  const due = sent.filter(({ askAtMs }) => askAtMs <= deps.clock.now()).map(({ alive }) => alive);
  const later = sent.filter(({ askAtMs }) => askAtMs > deps.clock.now());
  sent.splice(0, sent.length, ...later);
  const known = new Map(due.map((alive) => [alive.movement.id, alive]));
  const claimed = await store.claimMovements(['pending', 'sending', 'unknown'], claim);
  const held = new Map([...due.map(({ movement }) => movement), ...claimed].map((each) => [each.id, each]));
  for (const { id } of claimed) known.delete(id);
  await work([...held.values()], async (movements) => {
    sent.push(...(await followMovements(deps, movements, known)));
  });
  if (failures.length > 0) throw failures[0];
  return done > 0;
}
