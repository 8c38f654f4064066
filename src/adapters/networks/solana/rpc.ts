// What is asked of a Solana provider, as plain values: every call names its commitment and has a time limit, and nothing
// here decides anything.
import {
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash as BlockhashText,
  type Commitment,
  createSolanaRpc,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit';

const TIMEOUT_MS = 10_000;
/** How many accounts a provider answers for at once. */
const ACCOUNTS_AT_ONCE = 100;
export const HISTORY_PAGE = 1_000;

export interface ChainAccount {
  readonly program: Address;
  readonly executable: boolean;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

export interface Status {
  readonly slot: bigint;
  readonly final: boolean;
  readonly confirmations: number;
  /** What it failed with; null when it did what it says. */
  readonly failure: string | null;
}

export interface HistoryEntry {
  readonly signature: string;
  readonly slot: bigint;
  readonly final: boolean;
  readonly failed: boolean;
}

export interface Blockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /** The slot the provider was at when it said so. */
  readonly slot: bigint;
}

export interface SolanaClient {
  genesisHash(): Promise<string>;
  latestBlockhash(): Promise<Blockhash>;
  finalizedHeight(): Promise<bigint>;
  /** Whether bytes that name it could still land, by the newest block the provider knows. */
  isUsable(blockhash: string): Promise<boolean>;
  /** The oldest slot whose transactions the provider still has. */
  firstSlot(): Promise<bigint>;
  /** Also searched for in its whole history. */
  status(signature: string): Promise<Status | null>;
  /** As it came; `readLanded` makes sense of it. */
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): Promise<unknown>;
  accounts(
    addresses: readonly string[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<readonly (ChainAccount | null)[]>;
  /** The newest first, one page. */
  history(
    address: string,
    range: { readonly until: string | null; readonly before: string | null },
  ): Promise<readonly HistoryEntry[]>;
  tokenAccounts(
    owner: string,
    program: string,
  ): Promise<readonly { readonly address: string; readonly account: ChainAccount }[]>;
  /** What it would fail with, or null. */
  simulate(wire: string): Promise<unknown>;
  send(wire: string): Promise<string>;
}

type Rpc = ReturnType<typeof createSolanaRpc>;
type Calls<Names extends keyof SolanaClient> = Pick<SolanaClient, Names>;

export function connectSolana(url: string): SolanaClient {
  const rpc = createSolanaRpc(url);
  return { ...blockCalls(rpc), ...accountCalls(rpc), ...historyCalls(rpc), ...sendCalls(rpc) };
}

function limited() {
  return { abortSignal: AbortSignal.timeout(TIMEOUT_MS) };
}

function blockCalls(
  rpc: Rpc,
): Calls<'genesisHash' | 'latestBlockhash' | 'finalizedHeight' | 'isUsable' | 'firstSlot'> {
  return {
    genesisHash: () => rpc.getGenesisHash().send(limited()),
    latestBlockhash: async () => {
      // Confirmed and not finalized: it lasts some twelve seconds longer. On a fork that is left behind the bytes never
      // land and are dead at their bound, like any others.
      const { value, context } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(limited());
      return { ...value, slot: context.slot };
    },
    finalizedHeight: () => rpc.getBlockHeight({ commitment: 'finalized' }).send(limited()),
    isUsable: async (blockhash) => {
      const config = { commitment: 'processed' } as const;
      return (await rpc.isBlockhashValid(blockhash as BlockhashText, config).send(limited())).value;
    },
    firstSlot: () => rpc.getFirstAvailableBlock().send(limited()),
  };
}

function accountCalls(rpc: Rpc): Calls<'accounts' | 'tokenAccounts'> {
  return {
    accounts: async (addresses, commitment) => {
      const found: (ChainAccount | null)[] = [];
      for (let start = 0; start < addresses.length; start += ACCOUNTS_AT_ONCE) {
        const some = addresses.slice(start, start + ACCOUNTS_AT_ONCE) as Address[];
        const config = { commitment, encoding: 'base64' } as const;
        const { value } = await rpc.getMultipleAccounts(some, config).send(limited());
        if (value.length !== some.length) throw new Error('the provider left accounts out of its answer');
        found.push(...value.map((each) => (each === null ? null : accountOf(each))));
      }
      return found;
    },
    tokenAccounts: async (owner, program) => {
      const config = { commitment: 'confirmed', encoding: 'base64' } as const;
      const { value } = await rpc
        .getTokenAccountsByOwner(owner as Address, { programId: program as Address }, config)
        .send(limited());
      return value.map(({ pubkey, account }) => ({ address: pubkey, account: accountOf(account) }));
    },
  };
}

function historyCalls(rpc: Rpc): Calls<'status' | 'transaction' | 'history'> {
  return {
    status: async (signature) => {
      const { value } = await rpc
        .getSignatureStatuses([signature as Signature], { searchTransactionHistory: true })
        .send(limited());
      const [found] = value;
      if (found == null) return null;
      const { slot, confirmations, confirmationStatus, err } = found;
      return {
        slot,
        final: isFinal(confirmationStatus) || (confirmationStatus === null && confirmations === null),
        confirmations: Number(confirmations ?? 0n),
        failure: err === null ? null : textOf(err),
      };
    },
    transaction: async (signature, commitment) => {
      const config = { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
      try {
        return await rpc.getTransaction(signature as Signature, config).send(limited());
      } catch (error) {
        // It is there, and of a kind that cannot be read: no reason to ask another provider.
        const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION;
        if (isSolanaError(error, code)) return { unsupported: 'the version of this transaction' };
        throw error;
      }
    },
    history: async (address, { until, before }) => {
      const page = await rpc
        .getSignaturesForAddress(address as Address, {
          commitment: 'confirmed',
          limit: HISTORY_PAGE,
          ...(until === null ? {} : { until: until as Signature }),
          ...(before === null ? {} : { before: before as Signature }),
        })
        .send(limited());
      return page.map(({ signature, slot, err, confirmationStatus }) => ({
        signature,
        slot,
        final: isFinal(confirmationStatus),
        failed: err !== null,
      }));
    },
  };
}

function sendCalls(rpc: Rpc): Calls<'simulate' | 'send'> {
  return {
    simulate: async (wire) => {
      const config = {
        commitment: 'confirmed',
        encoding: 'base64',
        replaceRecentBlockhash: true,
        sigVerify: false,
      } as const;
      const sent = rpc.simulateTransaction(wire as Base64EncodedWireTransaction, config);
      return (await sent.send(limited())).value.err;
    },
    send: (wire) =>
      rpc
        .sendTransaction(wire as Base64EncodedWireTransaction, {
          encoding: 'base64',
          skipPreflight: true,
          maxRetries: 0n,
        })
        .send(limited()),
  };
}

function isFinal(commitment: Commitment | null): boolean {
  return commitment === 'finalized';
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

/** JSON of what may hold big numbers. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
  return text ?? 'null';
}
