// The chain with helpers for a test or a local start: lamports for any account, a token with its treasury, and balances. The
// helpers write the set-up as if it had always existed, so it is finalized immediately.
import { randomBytes } from 'node:crypto';
import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  generateKeyPairSigner,
  type KeyPairSigner,
  some,
} from '@solana/kit';
import {
  findAssociatedTokenPda,
  getMintEncoder,
  getTokenEncoder,
  TOKEN_PROGRAM_ADDRESS,
  AccountState as TokenState,
} from '@solana-program/token';
import type { LocalAccountState } from './account-versions.ts';
import { CoreChain } from './chain.ts';
import { readMint, readToken } from './token-data.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;
const TREASURY_LAMPORTS = 1_000_000_000_000n;

export interface SolanaTokenOptions {
  readonly decimals?: number;
  readonly supplyMinor?: bigint;
  /** The private key of the owner of the treasury, 32 bytes. If absent, a new key is created. */
  readonly treasuryKey?: Uint8Array;
}

export interface TokenSetUp {
  readonly mint: Address;
  readonly decimals: number;
  readonly authority: KeyPairSigner;
  readonly treasury: KeyPairSigner;
  readonly treasuryKey: Uint8Array;
  readonly treasuryTokenAccount: Address;
}

type Readable = ArrayLike<number> & Iterable<number>;

export class LocalSolanaChain extends CoreChain {
  airdrop(to: Address, lamports: bigint): void {
    this.rewriteAccount(to, (state) =>
      state === null
        ? { lamports, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false }
        : { ...state, lamports: state.lamports + lamports },
    );
  }

  /** Creates a mint of the classic token program, its authority, and a treasury with tokens and lamports for fees. */
  async setUpToken(options: SolanaTokenOptions = {}): Promise<TokenSetUp> {
    const { decimals = 6, supplyMinor = 1_000_000_000_000_000n, treasuryKey = randomBytes(32) } = options;
    const authority = await generateKeyPairSigner();
    const treasury = await createKeyPairSignerFromPrivateKeyBytes(treasuryKey);
    const { address: mint } = await generateKeyPairSigner();
    const data = getMintEncoder().encode({
      mintAuthority: some(authority.address),
      supply: 0n,
      decimals,
      isInitialized: true,
      freezeAuthority: some(authority.address),
    });
    this.rewriteAccount(mint, () => this.tokenProgramAccount(data));
    this.airdrop(treasury.address, TREASURY_LAMPORTS);
    this.airdrop(authority.address, TREASURY_LAMPORTS);
    const treasuryTokenAccount = await this.giveTokens(mint, treasury.address, supplyMinor);
    return { mint, decimals, authority, treasury, treasuryKey, treasuryTokenAccount };
  }

  /** Mints to the associated token account of an owner and returns that account. Creates the account if it does not exist. */
  async giveTokens(mint: Address, owner: Address, amountMinor: bigint): Promise<Address> {
    const account = await tokenAccountOf(mint, owner);
    const known = readMint(this.accounts.newest(mint));
    if (known === null) throw new Error(`no mint at ${mint}`);
    this.rewriteAccount(mint, (state) => {
      const before = readMint(state) ?? { ...known, supply: 0n };
      const data = getMintEncoder().encode({ ...before, supply: before.supply + amountMinor });
      return this.tokenProgramAccount(data, state);
    });
    this.rewriteAccount(account, (state) => {
      const before = readToken(state) ?? emptyToken(mint, owner);
      const data = getTokenEncoder().encode({ ...before, amount: before.amount + amountMinor });
      return this.tokenProgramAccount(data, state);
    });
    return account;
  }

  tokenBalance(account: Address): bigint {
    return readToken(this.accounts.newest(account))?.amount ?? 0n;
  }

  async tokenBalanceOf(mint: Address, owner: Address): Promise<bigint> {
    return this.tokenBalance(await tokenAccountOf(mint, owner));
  }

  private tokenProgramAccount(data: Readable, state: LocalAccountState | null = null): LocalAccountState {
    return {
      lamports: state?.lamports ?? this.rentExemption(data.length),
      data: Uint8Array.from(data),
      owner: TOKEN_PROGRAM_ADDRESS,
      executable: false,
    };
  }
}

export async function tokenAccountOf(mint: Address, owner: Address): Promise<Address> {
  const [account] = await findAssociatedTokenPda({ mint, owner, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  return account;
}

function emptyToken(mint: Address, owner: Address) {
  return {
    mint,
    owner,
    amount: 0n,
    delegate: null,
    state: TokenState.Initialized,
    isNative: null,
    delegatedAmount: 0n,
    closeAuthority: null,
  };
}
