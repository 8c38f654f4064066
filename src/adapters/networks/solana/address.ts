// A Solana destination is the address of an owner: exactly 32 bytes in base 58. Program-derived (off-curve) owners are accepted
// unless the settings refuse them, because multi-signature wallets are such owners.
import { isAddress, isOffCurveAddress } from '@solana/addresses';
import type { AddressCheck } from '../../../ports/networks/network.ts';
import { type AddressForm, type DestinationRules, makeAddressCheck } from '../address-check.ts';

const PROGRAM = 'it is a program, not a wallet';
const UNPAYABLE: ReadonlyMap<string, string> = new Map([
  ['11111111111111111111111111111111', 'it is the system program (32 zero bytes)'],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', PROGRAM],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', PROGRAM],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', PROGRAM],
  ['1nc1nerator11111111111111111111111111111111', 'it is the incinerator, which burns what it receives'],
]);

interface SolanaDestinationRules extends DestinationRules {
  readonly offCurve?: 'accept' | 'refuse';
}

export function makeSolanaAddressCheck(rules: SolanaDestinationRules): (text: string) => AddressCheck {
  return makeAddressCheck(solanaForm(rules.offCurve ?? 'accept'), rules);
}

function solanaForm(offCurve: 'accept' | 'refuse'): AddressForm {
  return {
    family: 'solana',
    read(text) {
      if (isAddress(text)) return { ok: true, address: text, identity: text };
      return { ok: false, code: 'wallet_invalid', reason: 'it must be 32 bytes in base 58, without spaces' };
    },
    unpayable(identity) {
      const known = UNPAYABLE.get(identity);
      if (known !== undefined || offCurve === 'accept') return known;
      if (!isAddress(identity) || !isOffCurveAddress(identity)) return undefined;
      return 'it belongs to a program (it is off the curve), and such owners are refused here';
    },
  };
}
