// What an operator's new treasury account needs once, as operations to put into a transaction of its own.
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import { MEMO_REQUIRED, type Token } from './account.ts';

/** A line for the token, and the mark that makes wallets ask their users for a memo. */
export function treasuryOperations({ code, issuer }: Token) {
  return [
    Operation.changeTrust({ asset: new Asset(code, issuer) }),
    Operation.manageData({ name: MEMO_REQUIRED, value: '1' }),
  ];
}
