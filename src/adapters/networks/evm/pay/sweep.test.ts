// Tests each amount of a sweep. The factory's event, the token's transfer and the received deposits must agree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeAbiParameters, type Hex, pad, toHex } from 'viem';
import { fakeProvider, TREASURY } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  FACTORY,
  NO_TURN,
  openOn,
  payOne,
  receiptOf,
  TOKEN,
  transferLog,
} from '../../../../../test/support/networks/evm-providers.ts';
import type { EvmLog } from '../rpc/answers.ts';
import { lowerHex, NOT_SWEPT, SWEPT, saltOf } from '../rpc/contracts.ts';

interface Outcome {
  /** The event of the factory for each address. `not` means that the token did not move. */
  readonly swept: readonly (bigint | 'not')[];
  readonly moved: readonly bigint[];
}

async function sweep(sells: readonly string[], { swept, moved }: Outcome) {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network } = await openOn(providers);
  const addressOf = (sell: string) => network.depositTarget(sell).address;
  const payments = sells.map((from, index) =>
    payOne(addressOf(from) as Hex, 100n, { from, orderId: `mov_${index}` }),
  );
  const [version] = (await network.prepare(payments, NO_TURN)).envelopes;
  const event = (sell: string, said: bigint | 'not'): EvmLog => ({
    ...transferLog({ to: TREASURY, amountMinor: 0n }),
    address: FACTORY,
    topics: [said === 'not' ? NOT_SWEPT : SWEPT, saltOf(sell), pad(TOKEN)],
    data: said === 'not' ? encodeAbiParameters([{ type: 'bytes' }], ['0x']) : pad(toHex(said)),
  });
  const logs = sells.flatMap((sell, index) => [
    ...(moved[index]! > 0n
      ? [transferLog({ from: lowerHex(addressOf(sell) as Hex), to: TREASURY, amountMinor: moved[index]! })]
      : []),
    event(sell, swept[index]!),
  ]);
  for (const each of providers) each.receipts.set(version!.hash, receiptOf(version!.hash, logs));
  const status = await network.ask({ versions: [version!], orderIds: version!.orderIds });
  if (status.kind === 'final') return status.unpaid.map(({ index }) => index);
  return status.kind === 'held' ? status.reason : status.kind;
}

test('a sweep moves the whole balance; an empty address is not a failure, and an address whose tokens did not move is unpaid', async () => {
  assert.deepEqual(await sweep(['txn_1', 'txn_2'], { swept: [100n, 150n], moved: [100n, 150n] }), []);
  assert.deepEqual(await sweep(['txn_1'], { swept: [0n], moved: [0n] }), []);
  assert.deepEqual(await sweep(['txn_1', 'txn_2'], { swept: [100n, 'not'], moved: [100n, 0n] }), [1]);
  assert.equal(await sweep(['txn_1'], { swept: ['not'], moved: [0n] }), 'failed');
  assert.deepEqual(await sweep(['txn_1', 'txn_1'], { swept: [200n, 0n], moved: [200n, 0n] }), []);
});

test('threat 102: a sweep that moves less than the deposits of an address is held, because the token may keep a fee', async () => {
  assert.match(`${await sweep(['txn_1'], { swept: [90n], moved: [90n] })}`, /held 90, and 100 came to it/);
  const two = { swept: [180n, 0n], moved: [180n, 0n] };
  assert.match(`${await sweep(['txn_1', 'txn_1'], two)}`, /held 180, and 200 came to it/);
});

test('a sweep is held if the transfers of the token differ from the events of the factory', async () => {
  const odd = /the token moved differs from the sweep/;
  assert.match(`${await sweep(['txn_1'], { swept: [100n], moved: [90n] })}`, odd);
  assert.match(`${await sweep(['txn_1'], { swept: [100n], moved: [0n] })}`, odd);
  assert.match(`${await sweep(['txn_1'], { swept: ['not'], moved: [100n] })}`, odd);
});
