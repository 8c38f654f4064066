// Stellar destinations are accounts (G…) and muxed accounts (M…). A muxed account keeps its id, because the id identifies the
// owner of the money inside a shared account. Contracts (C…) are refused, because they accept no classic payment.
import type { AddressCheck } from '../../../ports/networks/network.ts';
import { type AddressForm, type DestinationRules, makeAddressCheck } from '../address-check.ts';
import { StrKey } from './horizon/strkey.ts';

const ED25519_BYTES = 32;
/** The address GAAA…AWHF is 32 zero bytes. No key controls this account. */
const ZERO_ACCOUNT = StrKey.encodeEd25519PublicKey(new Uint8Array(ED25519_BYTES));

const STELLAR_FORM: AddressForm = {
  family: 'stellar',
  read(text) {
    if (StrKey.isValidEd25519PublicKey(text)) return { ok: true, address: text, identity: text };
    if (StrKey.isValidMed25519PublicKey(text)) {
      return { ok: true, address: text, identity: underlyingAccount(text) };
    }
    if (StrKey.isValidContract(text)) {
      const reason = 'it is a contract (C…), and contracts are not paid on this network';
      return { ok: false, code: 'wallet_forbidden', reason };
    }
    return { ok: false, code: 'wallet_invalid', reason: explainUnreadable(text) };
  },
  unpayable(identity) {
    return identity === ZERO_ACCOUNT ? 'it is the zero account, which has no owner' : undefined;
  },
};

export function makeStellarAddressCheck(rules: DestinationRules): (text: string) => AddressCheck {
  return makeAddressCheck(STELLAR_FORM, rules);
}

function underlyingAccount(muxed: string): string {
  return StrKey.encodeEd25519PublicKey(StrKey.decodeMed25519PublicKey(muxed).slice(0, ED25519_BYTES));
}

function explainUnreadable(text: string): string {
  if (text.includes('*')) return 'federation names are not looked up; use the account itself (G… or M…)';
  if (/^(?:G[A-Z2-7]{55}|M[A-Z2-7]{68})$/.test(text)) {
    return 'its checksum does not match, so it was mistyped or altered';
  }
  return 'it must be an account (G…, 56 characters) or a muxed account (M…, 69), in capitals, without spaces';
}
