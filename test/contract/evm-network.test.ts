// The EVM adapter keeps the contract of a network, on a real node.
import { after } from 'node:test';
import { makeEvmHarness, stopEvmChain } from './evm-network.ts';
import { networkContract } from './network.ts';

after(stopEvmChain);

networkContract('EVM', makeEvmHarness);
