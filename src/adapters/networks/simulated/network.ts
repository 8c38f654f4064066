// A network that exists only in test mode. Addresses are checked by the real rules; deposit targets are
// hashes of the network's name and the transaction's id, so the same id always gives the same target and
// nothing is stored.
import { createHash } from 'node:crypto';
import { getAddressDecoder } from '@solana/addresses';
import type { DepositTarget, Network } from '../../../ports/network.ts';
import type { AddressFamily } from '../address-family.ts';
import { makeEvmAddressCheck } from '../evm/address.ts';
import { checksummed } from '../evm/checksum.ts';
import { makeSolanaAddressCheck } from '../solana/address.ts';
import { makeStellarAddressCheck } from '../stellar/address.ts';
import { StrKey } from '../stellar/strkey.ts';

interface SimulatedNetworkSettings {
  readonly name: string;
  readonly family: AddressFamily;
  readonly assetCode: string;
  readonly decimals: number;
  readonly confirmations: number;
  /** The token's contract, mint or issuer, refused as a destination; null where none is known. */
  readonly tokenAddress: string | null;
  /** Whether program-derived owners may be paid, where a network has them. */
  readonly offCurve: 'accept' | 'refuse';
}

type Behaviour = Pick<Network, 'checkAddress' | 'depositTarget'>;

export function simulatedNetwork(settings: SimulatedNetworkSettings): Network {
  return {
    name: settings.name,
    asset: { code: settings.assetCode, decimals: settings.decimals },
    confirmations: settings.confirmations,
    ...FAMILIES[settings.family](settings),
  };
}

const FAMILIES: Record<AddressFamily, (settings: SimulatedNetworkSettings) => Behaviour> = {
  evm: (settings) => {
    const address = (...parts: string[]) =>
      checksummed(`0x${digest(settings.name, ...parts).toString('hex', 0, 20)}`);
    return {
      checkAddress: makeEvmAddressCheck(rulesOf(settings, [address('treasury')])),
      depositTarget: (id) => withoutMemo(address('deposit', id)),
    };
  },
  solana: (settings) => {
    const address = (...parts: string[]) => getAddressDecoder().decode(digest(settings.name, ...parts));
    const rules = { ...rulesOf(settings, [address('treasury')]), offCurve: settings.offCurve };
    return {
      checkAddress: makeSolanaAddressCheck(rules),
      depositTarget: (id) => withoutMemo(address('deposit', id)),
    };
  },
  stellar: (settings) => {
    const account = (part: string) => StrKey.encodeEd25519PublicKey(digest(settings.name, part));
    const receiving = account('receiving account');
    return {
      checkAddress: makeStellarAddressCheck(rulesOf(settings, [receiving, account('treasury')])),
      depositTarget: (id) => ({ address: receiving, memo: memoId(settings.name, id), memoType: 'id' }),
    };
  },
};

/** 63 bits, so that it also fits a signed database integer; never 0, which some wallets treat as no memo. */
function memoId(network: string, transactionId: string): string {
  const bits = digest(network, 'deposit', transactionId).readBigUInt64BE() >> 1n;
  return (bits === 0n ? 1n : bits).toString();
}

/** JSON quotes the parts, so no two lists of parts give one text. */
function digest(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

function rulesOf(settings: SimulatedNetworkSettings, own: readonly string[]) {
  const token = settings.tokenAddress === null ? [] : [settings.tokenAddress];
  return { network: settings.name, token, own };
}

function withoutMemo(address: string): DepositTarget {
  return { address, memo: null, memoType: null };
}
