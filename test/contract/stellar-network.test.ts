// The Stellar adapter keeps the contract of a network, on a local ledger.
import { after } from 'node:test';
import { networkContract } from './network.ts';
import { makeStellarHarness, openStellarServer } from './stellar-network.ts';

const server = await openStellarServer();
after(() => server.close());

networkContract('Stellar', () => makeStellarHarness(server));
