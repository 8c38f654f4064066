// Tests how an EVM network behaves while its providers' servers lag, in addition to the rules for every network. EVM payments
// do not expire, so these cases are about false alarms, lost deposits and hidden outflows.
import assert from 'node:assert/strict';
import { PATHS } from '../../../local-networks/evm/lagging-servers.ts';
import { LAG_SERVERS } from '../../../local-networks/lag.ts';
import { eventually, naira, passSome, payment } from '../network/case.ts';
import type { Lag } from '../network/harness.ts';
import { inPairs } from '../network/lags.ts';
import { makePayer } from '../network/payer.ts';
import { arriving, untilConfirmed, watcherOf } from '../network/watcher.ts';
import type { EvmHarness } from './evm-network.ts';

export interface EvmCase {
  readonly title: string;
  readonly run: (harness: EvmHarness) => Promise<void>;
}

const SOON = 30;
const BOTH = ['one', 'both'] as const;
const everyLag = (paths: Lag['paths']): readonly Lag[] =>
  BOTH.flatMap((providers) => LAG_SERVERS.map((servers) => ({ paths, providers, servers })));

async function depositComes(harness: EvmHarness, lag: Lag): Promise<void> {
  const watcher = await watcherOf(harness);
  const { id, deposit } = arriving(harness);
  const cleared = await harness.lag!(lag);
  const txHash = await harness.deposit(id, deposit);
  for (let step = 0; step < 6; step++) {
    // A poll may fail if a provider cannot be read completely; only the final result counts.
    await watcher.poll().catch(() => undefined);
    for (const sighting of watcher.of(txHash))
      assert.notEqual(await harness.network.confirm(sighting), 'gone', JSON.stringify(lag));
    await harness.pass();
  }
  await cleared();
  for (let step = 0; step < SOON && watcher.of(txHash).length === 0; step++) {
    await watcher.poll();
    await harness.pass();
  }
  const [sighting] = watcher.of(txHash);
  assert.ok(sighting !== undefined, `it was passed over: ${JSON.stringify(lag)}`);
  assert.equal((await untilConfirmed(harness, sighting)).at(-1), 'final', JSON.stringify(lag));
  assert.equal(watcher.of(txHash).length, 1);
}

/** The watcher saw a deposit, and later none of the queried servers shows its receipt or its transaction. */
async function depositIsHidden(harness: EvmHarness, providers: Lag['providers']): Promise<void> {
  const watcher = await watcherOf(harness);
  const { id, deposit } = arriving(harness);
  const { faults, chain } = harness.stage.local;
  const height = chain.head();
  const txHash = await harness.deposit(id, deposit);
  const [sighting] = await watcher.until([txHash]);
  const fault = { kind: 'paths-behind', paths: ['status'], servers: 'sticky', height } as const;
  const planned = faults.add(fault, providers === 'one' ? { on: 0 } : {});
  const elsewhere = await harness.restarted();
  for (let step = 0; step < 8; step++) {
    assert.match(String(await harness.network.confirm(sighting!)), /^(pending|unknown|final)$/);
    assert.match(String(await elsewhere.confirm(sighting!)), /^(pending|unknown|final)$/);
    await harness.pass();
  }
  planned.clear();
  assert.equal((await untilConfirmed(harness, sighting!)).at(-1), 'final');
}

async function placeIsTaken(harness: EvmHarness, lag: Lag | null): Promise<void> {
  const payer = makePayer(harness);
  const order = payment(harness, { to: await harness.wallet() });
  const [send] = (await payer.sign([order])).stored;
  const cleared = lag === null ? undefined : await harness.lag!(lag);
  const hash = await harness.steal!(naira(harness.network, 3n));
  await payer.broadcast(send!);
  assert.notEqual((await harness.network.ask(send!)).kind, 'held', 'it is not final');
  if (cleared !== undefined) {
    for (let step = 0; step < 4; step++) {
      const { kind } = await harness.network.ask(send!);
      assert.match(kind, /^(pending|unknown|stuck|held)$/, JSON.stringify(lag));
      await harness.pass();
    }
    await cleared();
  }
  const status = await eventually(
    harness,
    () => harness.network.ask(send!),
    ({ kind }) => kind === 'held',
  );
  assert.ok(status.kind === 'held' && status.reason.includes(hash), JSON.stringify(status));
}

/**
 * An outflow happens while paths of the providers lag. The network must show it, whatever positions the service stored in the
 * meantime.
 */
async function outflowIsHidden(harness: EvmHarness, lag: Lag): Promise<void> {
  const { network } = harness;
  let { position } = await network.outflows(null);
  const shown = new Set<string>();
  const look = async () => {
    const { outflows, position: next } = await network.outflows(position);
    for (const { txHash } of outflows) shown.add(txHash);
    position = next;
  };
  const cleared = await harness.lag!(lag);
  const hash = await harness.steal!(naira(network, 3n));
  for (let step = 0; step < 6; step++) {
    await look().catch(() => undefined);
    await harness.pass();
  }
  await cleared();
  await passSome(harness, 4);
  await look();
  assert.ok(shown.has(hash), JSON.stringify(lag));
}

export const EVM_LAG_CASES: readonly EvmCase[] = [
  {
    title: 'threat 42: a deposit that comes while paths are behind each other is seen once, and never gone',
    run: async (harness) => {
      const sets: Lag['paths'][] = [['history'], ['status'], ['status', 'history']];
      for (const lag of inPairs(sets.flatMap(everyLag))) await depositComes(harness, lag);
    },
  },
  {
    title: 'threat 42: a deposit that was seen is not gone while no server shows it',
    run: async (harness) => {
      for (const providers of BOTH) await depositIsHidden(harness, providers);
    },
  },
  {
    title: 'threat 42: a nonce that another program used is held, and its transaction is named',
    run: async (harness) => {
      await placeIsTaken(harness, null);
      for (const lag of everyLag(['status', 'account'])) await placeIsTaken(harness, lag);
    },
  },
  {
    title: 'threat 42: no position that was stored while paths were behind passes an outflow over',
    run: async (harness) => {
      const sets = [['history'], Object.keys(PATHS)] as Lag['paths'][];
      for (const lag of inPairs(sets.flatMap(everyLag))) await outflowIsHidden(harness, lag);
    },
  },
];
