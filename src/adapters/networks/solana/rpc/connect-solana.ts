// Connects to a Solana provider. Every call sets its commitment and has a time limit. A call rejects with `WrongChainError` if
// the provider reports a different chain.
import { createSolanaRpcFromTransport } from '@solana/kit';
import { accountCalls, blockCalls, feeCalls, sendCalls } from './calls.ts';
import type { SolanaClient } from './client.ts';
import { historyCalls } from './history-calls.ts';
import { type ExpectedGenesis, makeTransport } from './transport.ts';

export type ConnectSolana = (url: string, expected: ExpectedGenesis) => SolanaClient;

export function connectSolana(url: string, expected: ExpectedGenesis = () => undefined): SolanaClient {
  const rpc = createSolanaRpcFromTransport(makeTransport(url, expected));
  return {
    ...blockCalls(rpc),
    ...accountCalls(rpc),
    ...historyCalls(rpc),
    ...sendCalls(rpc),
    ...feeCalls(rpc),
  };
}
