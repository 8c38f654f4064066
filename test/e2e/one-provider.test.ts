// Tests the setting that every deposit needs two providers. On every network family, even a small deposit waits until two
// providers report the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFrontedNetworks } from '../support/networks/fronted-networks.ts';
import { until } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { FAST, newCustomer, rows, sell } from './calls.ts';
import { settled } from './settled.ts';

const { local, answer, environment } = await startFrontedNetworks({ one_provider_per_hour: '0' });
const service = await startTestService({ ...FAST, ...environment });

/** After the deposit was found to need two providers, it is checked this many times and must not advance. */
const LOOKS = 3;

async function waitsForTwo(transactionId: string): Promise<void> {
  await until('the deposit was looked at again and again', async () => {
    const [deposit] = await rows<{ state: string; tries: number; granted: boolean | null }>(
      service,
      `select d.state::text, d.tries, o.granted from deposits d left join one_provider_deposits o
        using (mode, network, tx_hash, tx_index) where d.transaction_id = $1`,
      transactionId,
    );
    assert.ok(deposit === undefined || deposit.state === 'seen', `it is ${deposit?.state}`);
    return deposit?.granted === false && deposit.tries >= LOOKS;
  });
}

for (const name of ['Stellar', 'Polygon', 'Solana']) {
  test(`threat 46: ${name}: a deposit above the cap that only one provider reports waits for the other provider`, async () => {
    const network = local.find(name);
    const { amount } = newCustomer();
    const wallet = await network.wallet();
    const open = await sell(service, { amount, network: name, wallet_address: wallet });
    answer(name, 502, 1);
    const { address, memo } = open.deposit;
    const amountMinor = BigInt(amount) * 10n ** BigInt(network.decimals);
    await network.deposit(`one ${name}`, { address, memo, amountMinor });
    await waitsForTwo(open.transaction_id);
    answer(name, null, 1);
    await settled(service, open.transaction_id, { states: ['completed'] });
  });
}
