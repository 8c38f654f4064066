// The EIP-55 spelling of an EVM address, from viem. Only viem's address file is loaded: its public entries
// pull in the whole library (about 190 ms and 25 MB at start against 20 ms), and nothing here needs the rest.
import type { getAddress } from 'viem/utils';

// A file inside the pinned package: should a new version move it, the start fails at once, and so do the
// tests.
const entry = import.meta.resolve('viem/utils');
const viem = (await import(new URL('./address/getAddress.js', entry).href)) as {
  getAddress: typeof getAddress;
};

/** Expects 0x and 40 hexadecimal digits in any case. */
export function checksummed(address: string): string {
  return viem.getAddress(address);
}
