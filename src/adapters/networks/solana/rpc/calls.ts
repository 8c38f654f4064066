// The calls about blocks, accounts and sending, each with its commitment and its time limit. Every call that is part of a proof
// uses the commitment `finalized`.
import type {
  Address,
  Base64EncodedWireTransaction,
  Blockhash as BlockhashText,
  createSolanaRpc,
} from '@solana/kit';
import type { ChainAccount, SolanaClient } from './client.ts';

const TIMEOUT_MS = 10_000;
const ACCOUNTS_AT_ONCE = 100;

export type Rpc = ReturnType<typeof createSolanaRpc>;
export type ClientCalls<Names extends keyof SolanaClient> = Pick<SolanaClient, Names>;

export function withTimeLimit() {
  return { abortSignal: AbortSignal.timeout(TIMEOUT_MS) };
}

export function blockCalls(
  rpc: Rpc,
): ClientCalls<'genesisHash' | 'latestBlockhash' | 'finalized' | 'isUsable'> {
  return {
    genesisHash: () => rpc.getGenesisHash().send(withTimeLimit()),
    latestBlockhash: async () => {
      // A confirmed blockhash stays valid about twelve seconds longer than a finalized one.
      const { value, context } = await rpc
        .getLatestBlockhash({ commitment: 'confirmed' })
        .send(withTimeLimit());
      return { ...value, slot: context.slot };
    },
    finalized: async () => {
      const { absoluteSlot, blockHeight } = await rpc
        .getEpochInfo({ commitment: 'finalized' })
        .send(withTimeLimit());
      return { slot: absoluteSlot, height: blockHeight };
    },
    isUsable: async (blockhash) => {
      const config = { commitment: 'processed' } as const;
      return (await rpc.isBlockhashValid(blockhash as BlockhashText, config).send(withTimeLimit())).value;
    },
  };
}

export function accountCalls(rpc: Rpc): ClientCalls<'accounts' | 'finalAccounts' | 'tokenAccounts'> {
  return {
    accounts: async (addresses, commitment) => {
      const found: (ChainAccount | null)[] = [];
      for (let start = 0; start < addresses.length; start += ACCOUNTS_AT_ONCE) {
        const some = addresses.slice(start, start + ACCOUNTS_AT_ONCE) as Address[];
        const config = { commitment, encoding: 'base64' } as const;
        const { value } = await rpc.getMultipleAccounts(some, config).send(withTimeLimit());
        if (value.length !== some.length) throw new Error('the provider left accounts out of its answer');
        found.push(...value.map((each) => (each === null ? null : accountOf(each))));
      }
      return found;
    },
    finalAccounts: async (addresses, notBefore) => {
      const config = { commitment: 'finalized', encoding: 'base64', minContextSlot: notBefore } as const;
      const sent = rpc.getMultipleAccounts(addresses as readonly Address[], config);
      const { context, value } = await sent.send(withTimeLimit());
      if (value.length !== addresses.length) throw new Error('the provider left accounts out of its answer');
      // Some providers ignore `minContextSlot`.
      if (context.slot < notBefore)
        throw new Error('the provider shows accounts of an older block than asked for');
      return {
        slot: context.slot,
        accounts: value.map((each) => (each === null ? null : accountOf(each))),
      };
    },
    tokenAccounts: async (owner, program) => {
      const config = { commitment: 'confirmed', encoding: 'base64' } as const;
      const { value } = await rpc
        .getTokenAccountsByOwner(owner as Address, { programId: program as Address }, config)
        .send(withTimeLimit());
      return value.map(({ pubkey, account }) => ({ address: pubkey, account: accountOf(account) }));
    },
  };
}

export function sendCalls(rpc: Rpc): ClientCalls<'simulate' | 'send'> {
  return {
    simulate: async (wire) => {
      const config = {
        commitment: 'confirmed',
        encoding: 'base64',
        replaceRecentBlockhash: true,
        sigVerify: false,
      } as const;
      const sent = rpc.simulateTransaction(wire as Base64EncodedWireTransaction, config);
      return (await sent.send(withTimeLimit())).value.err;
    },
    send: (wire) =>
      rpc
        .sendTransaction(wire as Base64EncodedWireTransaction, {
          encoding: 'base64',
          skipPreflight: true,
          maxRetries: 0n,
        })
        .send(withTimeLimit()),
  };
}

export function feeCalls(rpc: Rpc): ClientCalls<'recentFees'> {
  return {
    recentFees: async (accounts) => {
      const fees = await rpc
        .getRecentPrioritizationFees(accounts as readonly Address[])
        .send(withTimeLimit());
      return fees.map(({ prioritizationFee }) => BigInt(prioritizationFee));
    },
  };
}

function accountOf(raw: {
  readonly owner: Address;
  readonly executable: boolean;
  readonly lamports: bigint;
  readonly data: readonly [string, string];
}): ChainAccount {
  const { owner, executable, lamports, data } = raw;
  return { program: owner, executable, lamports, data: new Uint8Array(Buffer.from(data[0], 'base64')) };
}
