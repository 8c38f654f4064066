// Where one provider may vouch for nothing by itself, even a small deposit waits until two say the same, on every family.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFrontedNetworks } from '../support/fronted-networks.ts';
import { startTestService } from '../support/service.ts';
import { FAST, read, rows, sell, somebody } from './calls.ts';
import { settled } from './settled.ts';

const PATIENCE_MS = 20_000;
const { local, answer, environment } = await startFrontedNetworks({ one_provider_per_hour: '0' });
const service = await startTestService({ ...FAST, ...environment });

/** Seen, and found to need two. */
async function needsTwo(network: string): Promise<void> {
  const known = () =>
    rows(service, 'select from one_provider_deposits where network = $1 and not granted', network);
  for (const giveUpAt = performance.now() + PATIENCE_MS; (await known()).length === 0; await sleep(50))
    assert.ok(performance.now() < giveUpAt, `${network}: gave up waiting until its deposit was looked at`);
}

for (const name of ['Stellar', 'Polygon', 'Solana']) {
  test(`threat 46: ${name}: beyond the cap a deposit that one provider knows waits for the other`, async () => {
    const network = local.find(name);
    const { amount } = somebody();
    const wallet = await network.wallet();
    const open = await sell(service, { amount, network: name, wallet_address: wallet });
    answer(name, 502, 1);
    const { address, memo } = open.deposit;
    const amountMinor = BigInt(amount) * 10n ** BigInt(network.decimals);
    await network.deposit(`one ${name}`, { address, memo, amountMinor });
    await needsTwo(name);
    const [deposit] = await rows(
      service,
      'select state::text from deposits where transaction_id = $1',
      open.transaction_id,
    );
    assert.deepEqual(deposit, { state: 'seen' });
    assert.notEqual((await read(service, open.transaction_id)).state, 'completed');
    answer(name, null, 1);
    await settled(service, open.transaction_id, { states: ['completed'] });
  });
}
