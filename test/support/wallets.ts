// A valid wallet on each network, generated from a number.
import { getAddressDecoder } from '@solana/addresses';
import { toChecksumAddress } from '../../src/adapters/networks/evm/address.ts';
import { StrKey } from '../../src/adapters/networks/stellar/horizon/strkey.ts';

const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill);

export const WALLETS: Readonly<Record<string, (fill: number) => string>> = {
  Stellar: (fill) => StrKey.encodeEd25519PublicKey(bytes(32, fill)),
  Polygon: (fill) => toChecksumAddress(`0x${Buffer.from(bytes(20, fill)).toString('hex')}`),
  Solana: (fill) => getAddressDecoder().decode(bytes(32, fill)),
  Avalanche: (fill) => toChecksumAddress(`0x${Buffer.from(bytes(20, fill)).toString('hex')}`),
};
