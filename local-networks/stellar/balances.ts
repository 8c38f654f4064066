// Moves amounts into and out of accounts and trustlines, within their limits. A move happens completely. Otherwise nothing
// moves, and the function returns the reason.
import { issuerOf } from './envelope.ts';
import { INT64_MAX, NATIVE, type StateLayer, spendableStroops } from './state.ts';

export type MoveRefusal = 'noTrust' | 'notAuthorized' | 'full' | 'underfunded';

/** Adds to the balance of an existing account. If an issuer receives its own asset, the asset is destroyed. */
export function creditAccount(
  layer: StateLayer,
  id: string,
  asset: string,
  amount: bigint,
): MoveRefusal | undefined {
  if (asset !== NATIVE && issuerOf(asset) === id) return undefined;
  const account = layer.account(id);
  if (account === undefined) return 'noTrust';
  if (asset === NATIVE) {
    if (account.balance + amount > INT64_MAX) return 'full';
    layer.putAccount({ ...account, balance: account.balance + amount });
    return undefined;
  }
  const line = account.trustlines.get(asset);
  if (line === undefined) return 'noTrust';
  if (!line.authorized) return 'notAuthorized';
  if (line.balance + amount > line.limit) return 'full';
  layer.putTrustline(account, { ...line, balance: line.balance + amount });
  return undefined;
}

/** Subtracts from the balance of an existing account. If an issuer pays its own asset, the asset is created. */
export function debitAccount(
  layer: StateLayer,
  id: string,
  asset: string,
  amount: bigint,
): MoveRefusal | undefined {
  if (asset !== NATIVE && issuerOf(asset) === id) return undefined;
  const account = layer.account(id);
  if (account === undefined) return 'noTrust';
  if (asset === NATIVE) {
    if (spendableStroops(account) < amount) return 'underfunded';
    layer.putAccount({ ...account, balance: account.balance - amount });
    return undefined;
  }
  const line = account.trustlines.get(asset);
  if (line === undefined) return 'noTrust';
  if (!line.authorized) return 'notAuthorized';
  if (line.balance < amount) return 'underfunded';
  layer.putTrustline(account, { ...line, balance: line.balance - amount });
  return undefined;
}
