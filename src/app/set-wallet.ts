// Gives a transaction its wallet: where a buy's tokens go, or where a sell's are returned. Once given, it stays.
import { isId } from '../domain/ids.ts';
import { fieldRefusal, type Refusal } from '../domain/refusals.ts';
import { fail, type Result } from '../domain/result.ts';
import type { Clock } from '../ports/clock.ts';
import type { Networks } from '../ports/network.ts';
import type { Store } from '../ports/store.ts';
import { type Accepted, ownWallet } from './accept-transaction.ts';
import { type Caller, scopeOf } from './caller.ts';
import { changeTransaction } from './change-transaction.ts';
import { checkWallet, FieldErrors } from './field-rules.ts';

export async function setWallet(
  deps: { readonly store: Store; readonly networks: Networks; readonly clock: Clock },
  request: {
    readonly caller: Caller;
    readonly transactionId: string;
    readonly body: { readonly network: string; readonly wallet_address: string };
  },
): Promise<Result<Accepted, Refusal>> {
  const scope = scopeOf(request.caller);
  const errors = new FieldErrors();
  const wallet = checkWallet(errors, deps.networks, scope.mode, request.body);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  if (await deps.store.isDepositTarget(scope.mode, wallet!)) return fail(ownWallet());
  const elsewhere = await tokensElsewhere(deps.store, request.transactionId, wallet!.network);
  if (elsewhere !== undefined) return fail(elsewhere);
  const event = {
    kind: 'wallet_given',
    wallet: wallet!,
    actor: request.caller.key.id,
    atMs: deps.clock.now(),
  } as const;
  const result = await changeTransaction(deps.store, scope, request.transactionId, event, null);
  // Refunds may have waited for it.
  if (result.ok && result.value.transaction.type === 'sell')
    await deps.store.hastenRefunds(request.transactionId, deps.clock.now());
  return result;
}

/** Tokens that came in go back on the network they came on: a wallet on another one could never take them. */
async function tokensElsewhere(
  store: Store,
  transactionId: string,
  network: string,
): Promise<Refusal | undefined> {
  if (!isId('txn', transactionId)) return undefined;
  const deposits = await store.depositsOf([transactionId]);
  const other = deposits.find((deposit) => deposit.state !== 'gone' && deposit.network !== network);
  if (other === undefined) return undefined;
  const message = `The tokens came on ${other.network}: give a wallet on ${other.network}.`;
  return fieldRefusal([{ field: 'network', code: 'wallet_network_mismatch', message }]);
}
