// An EVM destination is 0x and 40 hexadecimal digits, stored in the EIP-55 spelling. Contract wallets are accepted, because
// only the chain shows whether an address has code. Addresses that no key can own are refused.
import type { getAddress } from 'viem/utils';
import type { AddressCheck } from '../../../ports/networks/network.ts';
import { type AddressForm, type DestinationRules, makeAddressCheck } from '../address-check.ts';

// The EIP-55 spelling of an EVM address, from viem. Only viem's address file is loaded, because its public entries load the
// whole library (about 190 ms and 25 MB at start, compared with 20 ms). The file is inside the pinned package. If a new version
// moves it, the start and the tests fail at once.
const entry = import.meta.resolve('viem/utils');
const viem = (await import(new URL('./address/getAddress.js', entry).href)) as {
  getAddress: typeof getAddress;
};

/** Expects 0x and 40 hexadecimal digits in any case. */
export function toChecksumAddress(address: string): string {
  return viem.getAddress(address);
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NATIVE_COIN_PLACEHOLDER = `0x${'e'.repeat(40)}`;
/** Zero, …dEaD, precompiles and system contracts of a chain. They are small numbers, so no key can own them. */
const SMALL_NUMBER = /^0x0{36}/;

const EVM_FORM: AddressForm = {
  family: 'evm',
  read(text) {
    if (text.startsWith('0X')) return invalidAddress('the prefix must be 0x, in lower case');
    if (!ADDRESS.test(text)) return invalidAddress('it must be 0x and 40 hexadecimal digits, without spaces');
    const digits = text.slice(2);
    const address = toChecksumAddress(text);
    // An address in a single case has no checksum. An address in mixed case always has a checksum.
    const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
    if (hasChecksum && address !== text) {
      return invalidAddress(
        'its capital letters do not match its EIP-55 checksum, so it was mistyped or altered',
      );
    }
    return { ok: true, address, identity: address.toLowerCase() };
  },
  unpayable(identity) {
    if (SMALL_NUMBER.test(identity)) return 'it is the zero address, a burn address or a system contract';
    if (identity === NATIVE_COIN_PLACEHOLDER)
      return "it is a placeholder for the network's coin and has no owner";
    return undefined;
  },
};

export function makeEvmAddressCheck(rules: DestinationRules): (text: string) => AddressCheck {
  return makeAddressCheck(EVM_FORM, rules);
}

function invalidAddress(reason: string) {
  return { ok: false, code: 'wallet_invalid', reason } as const;
}
