// Reads mints and token accounts of both token programs, and decides which mints can be used. A mint is refused at the start if
// its transfers run third-party code, charge a fee or are impossible.
import { type Address, address, isSome } from '@solana/kit';
import {
  AccountState,
  findAssociatedTokenPda,
  getMintDecoder,
  getTokenDecoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import type { ChainAccount } from './client.ts';
import { readMintPowers } from './mint-powers.ts';

const CLASSIC_PROGRAM: Address = TOKEN_PROGRAM_ADDRESS;
export const PROGRAM_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const TOKEN_PROGRAMS: readonly Address[] = [CLASSIC_PROGRAM, PROGRAM_2022];

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
/** The size of a multi-signature account. It is a wallet, although a token program owns it. */
const MULTISIG_BYTES = 355;
const KIND_AT = 165;
const EXTENSIONS_AT = 166;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;
const LAMPORTS_PER_BYTE = 6_960n;
const OVERHEAD_BYTES = 128n;
const ROOM_2022_BYTES = 256n;

export interface Mint {
  readonly address: Address;
  readonly program: Address;
  readonly decimals: number;
  readonly warnings: readonly string[];
}

export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amountMinor: bigint;
  readonly frozen: boolean;
}

/** Throws with a message for the operator. `accepted` contains the names of the issuer's powers that the settings accept. */
export function readMint(
  mint: Address,
  account: ChainAccount | null,
  accepted: ReadonlySet<string> = new Set(),
): Mint {
  const wrong = (what: string) => new Error(`the token at ${mint} ${what}`);
  if (account === null) throw wrong('does not exist');
  const { program, data } = account;
  if (!TOKEN_PROGRAMS.includes(program)) throw wrong('belongs to no token program');
  const extended = program === PROGRAM_2022 && data.length > MINT_BYTES;
  if (extended ? data[KIND_AT] !== KIND_MINT : data.length !== MINT_BYTES) throw wrong('is not a mint');
  const { decimals, isInitialized, freezeAuthority } = getMintDecoder().decode(data);
  if (!isInitialized) throw wrong('is not a mint');
  const extensions = extended ? extensionsOf(data) : [];
  const { refused, grave, warnings } = readMintPowers(isSome(freezeAuthority), extensions);
  for (const reason of refused) throw wrong(`${reason}, which is not supported`);
  for (const [name, what] of grave)
    if (!accepted.has(name))
      throw wrong(`${what}. To use it all the same, put "${name}" into "accept_powers"`);
  const taken = [...grave].map(([name, what]) => `${what} ("${name}" is accepted)`);
  return { address: mint, program, decimals, warnings: [...taken, ...warnings] };
}

function extensionsOf(data: Uint8Array): readonly { readonly kind: number; readonly data: Uint8Array }[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found: { kind: number; data: Uint8Array }[] = [];
  for (let at = EXTENSIONS_AT; at + 4 <= data.length; ) {
    const kind = view.getUint16(at, true);
    if (kind === 0) break;
    const length = view.getUint16(at + 2, true);
    found.push({ kind, data: data.subarray(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return found;
}

/** Undefined means that the account is not a token account. */
export function readTokenAccount(account: ChainAccount | null): TokenAccount | undefined {
  if (account === null || !TOKEN_PROGRAMS.includes(account.program)) return undefined;
  const { data, program } = account;
  if (data.length === MULTISIG_BYTES) return undefined;
  const extended = program === PROGRAM_2022 && data.length > ACCOUNT_BYTES;
  if (extended ? data[KIND_AT] !== KIND_ACCOUNT : data.length !== ACCOUNT_BYTES) return undefined;
  const { mint, owner, amount, state } = getTokenDecoder().decode(data);
  if (state === AccountState.Uninitialized) return undefined;
  return { mint, owner, amountMinor: amount, frozen: state === AccountState.Frozen };
}

/** Whether this account can own tokens. Programs, mints and token accounts cannot. */
export function canOwnTokens(account: ChainAccount | null): boolean {
  if (account === null) return true;
  if (account.executable) return false;
  return !TOKEN_PROGRAMS.includes(account.program) || account.data.length === MULTISIG_BYTES;
}

export async function tokenAccountOf(mint: Mint, owner: Address): Promise<Address> {
  const [account] = await findAssociatedTokenPda({ owner, mint: mint.address, tokenProgram: mint.program });
  return account;
}

export function openingLamports(mint: Mint): bigint {
  const bytes = mint.program === CLASSIC_PROGRAM ? BigInt(ACCOUNT_BYTES) : ROOM_2022_BYTES;
  return (OVERHEAD_BYTES + bytes) * LAMPORTS_PER_BYTE;
}

export const WALLET_LAMPORTS = OVERHEAD_BYTES * LAMPORTS_PER_BYTE;
