// The environment in which a sender is killed: local networks that keep running, a separate PostgreSQL, and customers with new
// wallets who have paid for tokens. Every buy has a unique amount, so that the payments of two buys cannot be confused.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import pino from 'pino';
import type { LocalNetwork } from '../../../local-networks/local-network.ts';
import { startLocalNetworks } from '../../../local-networks/start.ts';
import { SAMPLE_VENDORS } from '../../../src/adapters/simulation/samples.ts';
import { fundTestMode } from '../../../src/app/sandbox/fund-test-mode.ts';
import { readConfig } from '../../../src/config.ts';
import { UNNAMED_FULL_KEY } from '../../../src/domain/catalogue/secret-keys.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { koboToToken } from '../../../src/domain/values/money.ts';
import { type Foundation, openFoundation } from '../../../src/wire/foundation.ts';
import { acceptance, BUSINESS, KEY } from '../../http/store-fixtures.ts';
import { type Home, makeHome } from '../home.ts';
import { startOwnCluster } from '../own-cluster.ts';
import { databaseTimeoutMs, until } from '../patience.ts';
import { SECRETS_KEY } from '../people/secrets-key.ts';

export interface Buy {
  readonly network: LocalNetwork;
  readonly transaction: Transaction;
  readonly tokensMinor: bigint;
}

export interface World {
  readonly home: Home;
  readonly foundation: Foundation;
  readonly networks: readonly LocalNetwork[];
  readonly buys: readonly Buy[];
  readonly environment: Readonly<Record<string, string>>;
  /** After this time, no bytes that were signed earlier can land, if the network's bytes expire. */
  readonly expiryMs: number;
  payUpTo(count: number): Promise<void>;
}

const PACE_MS = 200;
/** The lease is short, so that the leases of a killed sender have expired when the next sender has started. */
const LEASE_MS = 1_000;
/** The shortest time that the settings allow. */
const STELLAR_VALID_MS = 30_000;
/** The shortest time that the settings allow. The sender soon signs a payment again that the pool refuses. */
const STUCK_AFTER_MS = 1_000;
/** This time is slightly longer than the lifetime of a blockhash at this pace. */
const SOLANA_VALID_MS = 15_000;
const LOWEST_MINOR = 1_500_000n;
const AT_ONCE = 200;
const PAYER = { bank: 'GTBank', name: 'Adaeze Okafor' };

export async function openWorld(
  t: TestContext,
  { names, recipients }: { readonly names: readonly string[]; readonly recipients: number },
): Promise<World> {
  const home = await makeHome(t);
  const cluster = await startOwnCluster(t, home);
  const local = await startLocalNetworks({ dir: path.join(home.root, 'networks'), paceMs: PACE_MS });
  t.after(() => local.close());
  const environment = {
    ...local.environment,
    NETWORKS_FILE: await onlyThese(local.environment.NETWORKS_FILE!, names),
    ...SECRETS_KEY,
    DATABASE_URL: cluster.url,
    DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()),
    DATA_DIR: home.dataDir,
    SETTLE_LEASE_MS: String(LEASE_MS),
  };
  const silent = pino({ level: 'silent' });
  const foundation = await openFoundation(readConfig(environment), silent, { networks: 'open' });
  t.after(() => foundation.close());
  // The network servers may have been too slow to respond in time. A network that is not enabled could not pay.
  for (const network of foundation.networks.disabled('test'))
    await until('the network is enabled', async () => (await foundation.enableNetwork(network)) === null);
  await fundTestMode({ ...foundation, opens: () => true });
  await addBusiness(foundation);
  const networks = names.map((name) => local.find(name));
  const buys = await drawBuys(networks, recipients, foundation.clock.now());
  let paid = 0;
  return {
    home,
    foundation,
    networks,
    buys,
    environment,
    expiryMs: names.includes('Stellar') ? STELLAR_VALID_MS + 2 * LEASE_MS : SOLANA_VALID_MS,
    payUpTo: async (count) => {
      for (; paid < count; paid = Math.min(count, paid + AT_ONCE))
        await payFor(foundation, buys.slice(paid, Math.min(count, paid + AT_ONCE)));
    },
  };
}

const HASTE: Readonly<Record<string, object>> = {
  stellar: { valid_for_ms: STELLAR_VALID_MS },
  evm: { stuck_after_ms: STUCK_AFTER_MS },
};

/** Keeps only these networks in the file. The service then simulates the other networks, which are available without delay. */
async function onlyThese(location: string, names: readonly string[]): Promise<string> {
  const file = JSON.parse(await readFile(location, 'utf8')) as {
    networks: { name: string; family: string }[];
  };
  const some = `${location}.some`;
  const networks = file.networks
    .filter(({ name }) => names.includes(name))
    .map((row) => ({ ...row, ...HASTE[row.family] }));
  await writeFile(some, JSON.stringify({ ...file, networks }));
  return some;
}

async function addBusiness({ backOffice, clock }: Foundation): Promise<void> {
  const doing = { actor: 'test', atMs: clock.now() };
  await backOffice.addBusiness({ id: BUSINESS, name: 'Fixture', linkTag: 'fixture', sandbox: false }, doing);
  const key = { id: KEY, businessId: BUSINESS, mode: 'test', hash: 'hash', hint: 'sk' } as const;
  await backOffice.addKey({ ...key, ...UNNAMED_FULL_KEY }, doing);
}

async function drawBuys(
  networks: readonly LocalNetwork[],
  recipients: number,
  nowMs: number,
): Promise<readonly Buy[]> {
  const [vendor] = SAMPLE_VENDORS;
  const buys: Buy[] = [];
  for (let no = 0; no < recipients * networks.length; no++) {
    const network = networks[no % networks.length]!;
    const amountMinor = LOWEST_MINOR + BigInt(no) * 100n;
    const { transaction } = acceptance({
      amountMinor,
      accountNumber: String(1_000_000_000 + no),
      accountName: PAYER.name,
      bankName: PAYER.bank,
      vendor: { vendorId: 'vnd_1', ...vendor },
      wallet: { network: network.name, address: await network.wallet() },
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      expiresAtMs: nowMs + 86_400_000,
      dueAtMs: nowMs + 86_400_000,
    });
    buys.push({ network, transaction, tokensMinor: koboToToken(amountMinor, network.decimals)! });
  }
  return buys;
}

/** Claims buys directly in the store and pays for them at the bank, whose statement the sender reads. */
async function payFor({ store, simulation }: Foundation, buys: readonly Buy[]): Promise<void> {
  const outcomes = await Promise.all(
    buys.map(({ transaction }) => store.accept({ ...acceptance(), transaction })),
  );
  for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'created' });
  await Promise.all(
    buys.map(({ transaction }) => simulation.bank.payIn(transaction.id, creditFor(transaction), 1)),
  );
}

function creditFor({ vendor, amountMinor, accountNumber }: Transaction) {
  return {
    accountNumber: vendor!.number,
    accountBankCode: null,
    amountMinor,
    payerAccount: accountNumber,
    payerBankName: PAYER.bank,
    payerName: PAYER.name,
    narration: null,
    sessionId: null,
  };
}
