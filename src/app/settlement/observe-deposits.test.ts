// Tests transfers that the service sees early and that become final with other values. The final values count, and the service
// misses no transfer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../../test/support/settlement.ts';
import type { DepositObservation, Sighting } from '../../ports/networks/network-observer.ts';

const rig = await openRig();
const TOKENS = 10_000n;

async function watching(
  amounts: readonly { readonly kobo: bigint; readonly final: boolean; readonly chainAtMs?: number }[],
  early: 'pending' | 'gone' = 'pending',
) {
  const sell = await rig.sell({ amountMinor: 1_600_000n }, ['Polygon']);
  const { address } = sell.deposits[0]!;
  const txHash = `0x${sell.id}`;
  const base = { txHash, txIndex: 3, address, memo: null, sender: null, ourToken: true };
  const readings: Sighting[] = [];
  const report = (...more: typeof amounts) =>
    readings.push(...more.map(({ kobo, ...rest }) => ({ ...base, amountMinor: kobo * TOKENS, ...rest })));
  report(...amounts);
  let reported: Sighting | undefined;
  let position = 0;
  rig.pass(16_000);
  const process = rig.another({
    network: (real) =>
      real.name !== 'Polygon'
        ? {}
        : {
            observe: async (): Promise<DepositObservation> => {
              const next = readings.shift();
              reported = next ?? reported;
              return {
                sightings: next === undefined ? [] : [next],
                unreadable: [],
                position: `${++position}`,
              };
            },
            confirm: async ({ amountMinor }) => {
              if (reported?.final !== true) return early;
              return reported.amountMinor === amountMinor ? 'final' : 'unknown';
            },
          },
  });
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round++) {
      await process.run();
      rig.pass(2_000);
    }
  };
  const rows = () =>
    rig.rows<{ state: string; amount: string; exception: string | null }>(
      'select state, amount_minor::text as amount, exception from deposits where tx_hash = $1',
      txHash,
    );
  return { sell, process, rounds, rows, report, txHash };
}

test('threat 45: a transfer that is final with another amount counts once, with the final amount', async () => {
  const { sell, process, rounds, rows } = await watching([
    { kobo: 1_500_000n, final: false },
    { kobo: 1_600_000n, final: true },
  ]);
  await rounds(20);
  assert.deepEqual(
    (await rows()).map(({ state, amount }) => [state, amount]),
    [['applied', `${1_600_000n * TOKENS}`]],
  );
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.ok(process.troubles.some(({ message }) => /changed its amount/.test(message)));
});

test('threat 55: a deposit that is reported again without a change has no effect', async () => {
  const same = { kobo: 1_600_000n, final: true };
  const { process, rounds, rows } = await watching([same, same, same]);
  await rounds(20);
  assert.equal((await rows()).length, 1);
  assert.deepEqual(process.troubles, []);
});

test('if a settled deposit becomes final with other values, it is set aside for review, and the reading continues', async () => {
  const { process, rounds, rows, txHash } = await watching([
    { kobo: 1_600_000n, final: true },
    { kobo: 900_000n, final: true },
  ]);
  await rounds(20);
  assert.equal((await rows())[0]!.state, 'applied');
  const kept = await rig.rows('select reason from quarantine where raw like $1', `%${txHash}%`);
  assert.equal(kept.length, 1);
  assert.ok(process.troubles.some(({ message }) => /differs from its settled deposit/.test(message)));
});

test('threat 45: a transfer that counted as dropped but becomes final is set aside for review', async () => {
  const seen = { kobo: 1_600_000n, final: false };
  const { process, rounds, rows, report, txHash } = await watching([seen], 'gone');
  await rounds(3);
  assert.equal((await rows())[0]!.state, 'gone');
  report({ ...seen, final: true });
  await rounds(5);
  const kept = await rig.rows('select reason from quarantine where raw like $1', `%${txHash}%`);
  assert.equal(kept.length, 1);
  assert.ok(process.troubles.some(({ message }) => /differs from its settled deposit/.test(message)));
});

test('a deposit that the database refuses is set aside, and the other deposits are still read', async () => {
  const sell = await rig.sell({}, ['Polygon']);
  const { address } = sell.deposits[0]!;
  const base = { txIndex: 0, address, memo: null, sender: null, ourToken: true, final: true };
  // A token may have any supply. So an amount that is too large for the database column is still a valid amount.
  const sightings: Sighting[] = [
    { ...base, txHash: '0xbeyond', amountMinor: 10n ** 60n },
    { ...base, txHash: '0xgood', amountMinor: 5n * TOKENS },
  ];
  rig.pass(16_000);
  const process = rig.another({
    network: (real) =>
      real.name === 'Polygon'
        ? {
            observe: async () => ({ sightings: sightings.splice(0), unreadable: [], position: 'after both' }),
            confirm: async () => 'pending',
          }
        : {},
  });
  await process.run();
  const deposits = await rig.rows<{ tx_hash: string }>(
    "select tx_hash from deposits where tx_hash in ('0xbeyond', '0xgood')",
  );
  assert.deepEqual(deposits, [{ tx_hash: '0xgood' }]);
  const [kept] = await rig.rows<{ reason: string; raw: string }>(
    "select reason, raw from quarantine where raw like '%0xbeyond%'",
  );
  assert.match(kept!.reason, /the database refused it/);
  assert.ok(kept!.raw.includes(`${10n ** 60n}`));
});

test('threat 53: a network can get the addresses of sells older than 30 days, in several pages', async () => {
  const made: string[] = [];
  for (let sell = 0; sell < 3; sell++) made.push((await rig.sell({}, ['Polygon'])).deposits[0]!.address);
  const turns: string[][] = [];
  const looking = rig.another({
    network: (real) =>
      real.name === 'Polygon'
        ? {
            observe: async (position, watch) => {
              const recent = new Set(await watch.recent());
              const old: string[] = [];
              for (let after: string | null = null; ; ) {
                const turn = await watch.older!(after);
                old.push(...turn.addresses);
                after = turn.next;
                if (after === null) break;
              }
              turns.push(made.map((address) => `${recent.has(address)} ${old.includes(address)}`));
              return { sightings: [], unreadable: [], position: position ?? '' };
            },
          }
        : {},
  });
  rig.pass(16_000);
  await looking.run();
  rig.pass(31 * 24 * 3_600_000);
  await looking.run();
  assert.deepEqual([turns[0], turns.at(-1)], [made.map(() => 'true false'), made.map(() => 'false true')]);
});

test('threat 45: a transfer that became final in another block has the time of that block', async () => {
  const seen = { kobo: 1_600_000n, final: false, chainAtMs: 1_700_000_000_000 };
  const { process, rounds, report, txHash, sell } = await watching([seen]);
  const chainAt = async () => {
    const query =
      'select state::text, (extract(epoch from chain_at) * 1000)::text as ms from deposits where tx_hash = $1';
    const [row] = await rig.rows<{ state: string; ms: string }>(query, txHash);
    return [row!.state, Number(row!.ms)];
  };
  await rounds(3);
  assert.deepEqual(await chainAt(), ['seen', 1_700_000_000_000]);
  report({ ...seen, final: true, chainAtMs: 1_700_000_012_000 });
  await rounds(20);
  assert.deepEqual(await chainAt(), ['applied', 1_700_000_012_000]);
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.deepEqual(process.troubles, [], 'that is no trouble');
});
