// The EVM adapter on servers that are behind each other.
import { after, test } from 'node:test';
import { EVM_LAG_CASES } from './evm-lags.ts';
import { makeEvmHarness, stopEvmChain } from './evm-network.ts';

after(stopEvmChain);

for (const { title, run } of EVM_LAG_CASES) {
  test(title, async () => {
    const harness = await makeEvmHarness();
    try {
      await run(harness);
    } finally {
      await harness.close();
    }
  });
}
