// Tests the EVM adapter with lagging servers, with a provider that serves another chain, and with a token that hides a fee.
import { after, test } from 'node:test';
import { EVM_LAG_CASES } from './evm-lags.ts';
import { makeEvmHarness, stopEvmChain } from './evm-network.ts';
import { EVM_TRUST_CASES } from './evm-trust.ts';

after(stopEvmChain);

for (const { title, run } of [...EVM_LAG_CASES, ...EVM_TRUST_CASES]) {
  test(title, async () => {
    const harness = await makeEvmHarness();
    try {
      await run(harness);
    } finally {
      await harness.close();
    }
  });
}
