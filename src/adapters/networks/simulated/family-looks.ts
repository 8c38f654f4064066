// The format of addresses, hashes and deposit targets on a simulated network, for each family. Addresses are checked by the real
// rules. Hashes, wallets and deposit targets are computed from names by hashing, so the same names always give the same values.
import { hash } from 'node:crypto';
import { getAddressDecoder } from '@solana/addresses';
import type { Network } from '../../../ports/networks/network.ts';
import type { DepositTarget } from '../../../ports/networks/network-observer.ts';
import type { AddressFamily } from '../address-check.ts';
import { makeEvmAddressCheck, toChecksumAddress } from '../evm/address.ts';
import { makeSolanaAddressCheck } from '../solana/address.ts';
import { makeStellarAddressCheck } from '../stellar/address.ts';
import { StrKey } from '../stellar/horizon/strkey.ts';

/** A family that is not in this list can be configured, but test mode has no simulated network of it. */
export type SimulatedFamily = Extract<AddressFamily, 'evm' | 'solana' | 'stellar'>;

export interface FamilySettings {
  readonly name: string;
  readonly family: SimulatedFamily;
  /** The token's contract, mint or issuer, which is refused as a destination. Null means that it is not known. */
  readonly tokenAddress: string | null;
  /** Whether program-derived owners may be paid, if the network has them. */
  readonly offCurve: 'accept' | 'refuse';
}

export interface FamilyLooks extends Pick<Network, 'checkAddress' | 'depositTarget'> {
  readonly treasury: string;
  wallet(...names: readonly string[]): string;
  transactionHash(...names: readonly string[]): string;
  /** Whether a wallet must open a trustline before it can receive the token. */
  readonly trustlines: boolean;
}

export function familyLooksOf(settings: FamilySettings): FamilyLooks {
  return FAMILIES[settings.family](settings);
}

const FAMILIES: Record<SimulatedFamily, (settings: FamilySettings) => FamilyLooks> = {
  evm: (settings) => {
    const wallet = (...names: readonly string[]) =>
      toChecksumAddress(`0x${digestOf(settings.name, ...names).toString('hex', 0, 20)}`);
    const treasury = wallet('treasury');
    return {
      treasury,
      wallet,
      checkAddress: makeEvmAddressCheck(rulesOf(settings, [treasury])),
      depositTarget: (id) => withoutMemo(wallet('deposit', id)),
      transactionHash: (...names) => `0x${digestOf(settings.name, ...names).toString('hex')}`,
      trustlines: false,
    };
  },
  solana: (settings) => {
    const wallet = (...names: readonly string[]) =>
      getAddressDecoder().decode(digestOf(settings.name, ...names));
    const treasury = wallet('treasury');
    return {
      treasury,
      wallet,
      checkAddress: makeSolanaAddressCheck({ ...rulesOf(settings, [treasury]), offCurve: settings.offCurve }),
      depositTarget: (id) => withoutMemo(wallet('deposit', id)),
      transactionHash: (...names) => signatureText(settings.name, ...names),
      trustlines: false,
    };
  },
  stellar: (settings) => {
    const wallet = (...names: readonly string[]) =>
      StrKey.encodeEd25519PublicKey(digestOf(settings.name, ...names));
    const receiving = wallet('receiving account');
    const treasury = wallet('treasury');
    return {
      treasury,
      wallet,
      checkAddress: makeStellarAddressCheck(rulesOf(settings, [receiving, treasury])),
      depositTarget: (id) => ({ address: receiving, memo: memoId(settings.name, id), memoType: 'id' }),
      transactionHash: (...names) => digestOf(settings.name, ...names).toString('hex'),
      trustlines: true,
    };
  },
};

/** The id has 63 bits, so that it fits a signed database integer. It is never 0, because some wallets treat 0 as no memo. */
function memoId(network: string, transactionId: string): string {
  const bits = digestOf(network, 'deposit', transactionId).readBigUInt64BE() >> 1n;
  return (bits === 0n ? 1n : bits).toString();
}

const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** The length of 64 bytes in base 58 is 11 pieces of 8 digits. A number can hold 8 digits exactly. */
const SIGNATURE_PIECES = 11;
const PIECE_DIGITS = 8;
const PIECE = 58n ** BigInt(PIECE_DIGITS);

function signatureText(...names: readonly string[]): string {
  const halves = [digestOf(...names, 'first half'), digestOf(...names, 'second half')];
  let rest = BigInt(`0x${Buffer.concat(halves).toString('hex')}`);
  let text = '';
  for (let piece = 0; piece < SIGNATURE_PIECES; piece++) {
    let value = Number(rest % PIECE);
    for (let digit = 0; digit < PIECE_DIGITS; digit++) {
      text = BASE_58[value % 58] + text;
      value = Math.floor(value / 58);
    }
    rest /= PIECE;
  }
  return text;
}

/** JSON quotes the parts, so two different lists of parts never give the same text. */
function digestOf(...parts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer');
}

function rulesOf(settings: FamilySettings, own: readonly string[]) {
  const token = settings.tokenAddress === null ? [] : [settings.tokenAddress];
  return { network: settings.name, token, own };
}

function withoutMemo(address: string): DepositTarget {
  return { address, memo: null, memoType: null };
}
