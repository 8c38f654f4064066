// Tests that the EVM adapter passes the contract of a network on a real node.
import { after } from 'node:test';
import { networkContract } from '../network/suite.ts';
import { makeEvmHarness, stopEvmChain } from './evm-network.ts';

after(stopEvmChain);

networkContract('EVM', makeEvmHarness);
