// Tests the payments of a batch. The contract's events and the token's transfers must agree. An unpaid payment is signed again
// only if two providers show that it is unpaid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeAbiParameters, type Hex, pad, toHex } from 'viem';
import { fakeProvider } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  DISPERSE,
  NO_TURN,
  openOn,
  payOne,
  receiptOf,
  transferLog,
  WALLETS,
} from '../../../../../test/support/networks/evm-providers.ts';
import type { EvmLog } from '../rpc/answers.ts';
import { PAID, UNPAID } from '../rpc/contracts.ts';
import { readPayload } from './payload.ts';

interface Outcome {
  readonly events: readonly (Hex | undefined)[];
  readonly moved: readonly number[];
}

/**
 * Three payments in one batch, as two providers show it. Null means that the provider shows nothing. By default the second
 * provider shows the same as the first.
 */
async function batchStage(first: Outcome, second: Outcome | null = first) {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network } = await openOn(providers);
  const payments = WALLETS.slice(0, 3).map((to, index) => payOne(to, 100n + BigInt(index)));
  const { envelopes } = await network.prepare(payments, NO_TURN);
  assert.equal(envelopes.length, 1);
  const [version] = envelopes;
  const { batch } = readPayload(version!.payload);
  const saysOf = (event: Hex | undefined, index: number): EvmLog[] => {
    if (event === undefined) return [];
    const { to, amountMinor } = payments[index]!;
    const reason = event === UNPAID ? encodeAbiParameters([{ type: 'bytes' }], ['0x']).slice(2) : '';
    const data = `${pad(to as Hex)}${pad(toHex(amountMinor)).slice(2)}${reason}` as Hex;
    return [
      {
        ...transferLog({ to: to as Hex, amountMinor }),
        address: DISPERSE,
        topics: [event, batch!, pad(toHex(index))],
        data,
      },
    ];
  };
  const logsOf = ({ events, moved }: Outcome) => [
    ...moved.map((index) =>
      transferLog({ to: payments[index]!.to as Hex, amountMinor: payments[index]!.amountMinor }),
    ),
    ...events.flatMap(saysOf),
  ];
  for (const [index, view] of [first, second].entries())
    if (view !== null) providers[index]!.receipts.set(version!.hash, receiptOf(version!.hash, logsOf(view)));
  return network.ask({ versions: [version!], orderIds: version!.orderIds });
}

test('a batch shows for each payment whether it was paid, and has failed if no payment was paid', async () => {
  const status = await batchStage({ events: [PAID, UNPAID, PAID], moved: [0, 2] });
  assert.ok(status.kind === 'final');
  assert.deepEqual(
    status.unpaid.map(({ index }) => index),
    [1],
  );
  assert.equal((await batchStage({ events: [UNPAID, UNPAID, UNPAID], moved: [] })).kind, 'failed');
});

test('a batch is held if its events contradict the transfers of the token', async () => {
  assert.equal((await batchStage({ events: [PAID, UNPAID, PAID], moved: [0, 1, 2] })).kind, 'held');
  assert.equal((await batchStage({ events: [PAID, PAID, PAID], moved: [0, 2] })).kind, 'held');
  assert.equal((await batchStage({ events: [PAID, undefined, PAID], moved: [0, 2] })).kind, 'held');
});

test('threat 46: an unpaid order in a small batch needs two providers, because it is signed again', async () => {
  const all = { events: [PAID, PAID, PAID], moved: [0, 1, 2] };
  const some = { events: [PAID, UNPAID, PAID], moved: [0, 2] };
  assert.equal((await batchStage(all, null)).kind, 'final');
  for (const other of [null, all, { events: [PAID, PAID, UNPAID], moved: [0, 1] }])
    assert.equal((await batchStage(some, other)).kind, 'unknown');
  assert.equal((await batchStage(some, some)).kind, 'final');
});
