// Reads mints and token accounts of the classic token program, and writes their amounts like a node.
import type { Address } from '@solana/kit';
import {
  getMintDecoder,
  getTokenDecoder,
  type Mint,
  TOKEN_PROGRAM_ADDRESS,
  type Token,
  AccountState as TokenState,
} from '@solana-program/token';
import type { LocalAccountState } from './account-versions.ts';
import { floatJson } from './rpc/json.ts';

const MINT_BYTES = 82;
const TOKEN_BYTES = 165;
const mintDecoder = getMintDecoder();
const tokenDecoder = getTokenDecoder();

export type FindAccount = (address: Address) => LocalAccountState | null;

export function readMint(state: LocalAccountState | null): Mint | null {
  if (state?.owner !== TOKEN_PROGRAM_ADDRESS || state.data.length !== MINT_BYTES) return null;
  const mint = mintDecoder.decode(state.data);
  return mint.isInitialized ? mint : null;
}

export function readToken(state: LocalAccountState | null): Token | null {
  if (state?.owner !== TOKEN_PROGRAM_ADDRESS || state.data.length !== TOKEN_BYTES) return null;
  const token = tokenDecoder.decode(state.data);
  return token.state === TokenState.Uninitialized ? null : token;
}

/** A token account cannot exist without its mint. */
export function decimalsOf(mint: Address, find: FindAccount): number {
  return readMint(find(mint))?.decimals ?? 0;
}

export function uiAmount(amountMinor: bigint, decimals: number): object {
  const digits = amountMinor.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amountMinor.toString(), decimals, uiAmount: floatJson(text), uiAmountString: text };
}

export function parsedData(state: LocalAccountState, find: FindAccount): object | null {
  const mint = readMint(state);
  const token = readToken(state);
  const parsed =
    mint !== null
      ? { type: 'mint', info: mintInfo(mint) }
      : token !== null
        ? { type: 'account', info: tokenInfo(token, decimalsOf(token.mint, find)) }
        : null;
  return parsed === null ? null : { program: 'spl-token', parsed, space: state.data.length };
}

function mintInfo(mint: Mint): object {
  return {
    decimals: mint.decimals,
    freezeAuthority: valueOrNull(mint.freezeAuthority),
    isInitialized: true,
    mintAuthority: valueOrNull(mint.mintAuthority),
    supply: mint.supply.toString(),
  };
}

function tokenInfo(token: Token, decimals: number): object {
  const delegate = valueOrNull(token.delegate);
  const closeAuthority = valueOrNull(token.closeAuthority);
  const reserve = valueOrNull(token.isNative);
  return {
    isNative: reserve !== null,
    mint: token.mint,
    owner: token.owner,
    state: token.state === TokenState.Frozen ? 'frozen' : 'initialized',
    tokenAmount: uiAmount(token.amount, decimals),
    ...(delegate === null ? {} : { delegate, delegatedAmount: uiAmount(token.delegatedAmount, decimals) }),
    ...(closeAuthority === null ? {} : { closeAuthority }),
    ...(reserve === null ? {} : { rentExemptReserve: uiAmount(reserve, decimals) }),
  };
}

function valueOrNull<T>(option: { __option: 'Some'; value: T } | { __option: 'None' }): T | null {
  return option.__option === 'Some' ? option.value : null;
}
