// Connects to a Solana provider. Every call names its commitment and has a time limit.
import { createSolanaRpc } from '@solana/kit';
import { accountCalls, blockCalls, feeCalls, sendCalls } from './calls.ts';
import type { SolanaClient } from './client.ts';
import { historyCalls } from './listing.ts';

export function connectSolana(url: string): SolanaClient {
  const rpc = createSolanaRpc(url);
  return {
    ...blockCalls(rpc),
    ...accountCalls(rpc),
    ...historyCalls(rpc),
    ...sendCalls(rpc),
    ...feeCalls(rpc),
  };
}
