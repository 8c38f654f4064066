// The account in which a Solana chain stores its time, as a provider returns it.
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../../src/adapters/networks/solana/rpc/client.ts';

export const CLOCK_ADDRESS = 'SysvarC1ock11111111111111111111111111111111';

export function clockAccount(atMs: number): ChainAccount {
  const data = Buffer.alloc(40);
  data.writeBigInt64LE(BigInt(Math.floor(atMs / 1_000)), 32);
  return {
    program: 'Sysvar1111111111111111111111111111111111111' as Address,
    executable: false,
    lamports: 1_169_280n,
    data: new Uint8Array(data),
  };
}
