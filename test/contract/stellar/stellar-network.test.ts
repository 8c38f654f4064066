// Tests that the Stellar adapter passes the contract of a network, on a local ledger.
import { after, test } from 'node:test';
import { networkContract } from '../network/suite.ts';
import { STELLAR_CASES } from './stellar-cases.ts';
import { makeStellarHarness, openStellarServer } from './stellar-network.ts';

const server = await openStellarServer();
after(() => server.close());

networkContract('Stellar', () => makeStellarHarness(server));

for (const { title, run } of STELLAR_CASES)
  test(title, async () => {
    const harness = await makeStellarHarness(server);
    await run(harness, server);
    await harness.close();
  });
