// Gives a transaction its wallet: where a buy's tokens go, or where a sell's are returned. Once given, it stays.
import type { Refusal } from '../domain/refusals.ts';
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
