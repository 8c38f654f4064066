// Sets the wallet of a transaction: the wallet that receives the tokens of a buy, or the return address of a sell. A wallet
// never changes after it was set.
import type { Transaction } from '../../domain/records/transaction.ts';
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, type Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import type { Store } from '../../ports/store/store.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { checkWallet, FieldErrors } from '../input/field-rules.ts';
import { type AcceptedTransaction, depositAddressRefusal } from './accept-transaction.ts';
import { changeTransaction } from './change-transaction.ts';
import { readTransaction } from './read-transactions.ts';

export async function setWallet(
  deps: { readonly store: Store; readonly networks: DescribedNetworks; readonly clock: Clock },
  request: {
    readonly caller: BusinessActor;
    readonly transactionId: string;
    readonly body: { readonly network: string; readonly wallet_address: string };
  },
): Promise<Result<AcceptedTransaction, Refusal>> {
  const scope = scopeOf(request.caller);
  const errors = new FieldErrors();
  const wallet = checkWallet(errors, deps.networks, scope.mode, request.body);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  // If the transaction belongs to another business, the response reveals nothing about it, not even the network of its tokens.
  const found = await readTransaction(deps.store, request.caller, request.transactionId);
  if (!found.ok) return found;
  if (await deps.store.isDepositTarget(scope.mode, wallet!)) return fail(depositAddressRefusal());
  const elsewhere = await refuseOtherNetwork(deps.store, found.value, wallet!.network);
  if (elsewhere !== undefined) return fail(elsewhere);
  const event = {
    kind: 'wallet_given',
    wallet: wallet!,
    actor: request.caller.key.id,
    atMs: deps.clock.now(),
  } as const;
  const result = await changeTransaction(deps.store, scope, request.transactionId, event, null);
  // Refunds of this sell may be waiting for the wallet.
  if (result.ok && result.value.transaction.type === 'sell')
    await deps.store.hastenRefunds(request.transactionId, deps.clock.now());
  return result;
}

/** The service returns tokens on the network on which they arrived. A wallet on another network could never receive them. */
async function refuseOtherNetwork(
  store: Store,
  { id, type, wallet }: Transaction,
  network: string,
): Promise<Refusal | undefined> {
  if (type === 'buy' || wallet !== null) return undefined;
  // The service does not refund a deposit of another token automatically, so such a deposit does not count here. Any sender can
  // send any token to any address.
  const live = (await store.depositsOf([id])).filter(
    ({ state, exception }) => state !== 'gone' && exception !== 'wrong_token',
  );
  const came = [...new Set(live.map((deposit) => deposit.network))];
  if (came.length === 0 || came.includes(network)) return undefined;
  const names = came.join(' and ');
  const message = `The tokens arrived on ${names}. Use a wallet on ${came.length === 1 ? names : 'one of these networks'}.`;
  return fieldRefusal([{ field: 'network', code: 'wallet_network_mismatch', message }]);
}
