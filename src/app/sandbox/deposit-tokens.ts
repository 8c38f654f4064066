// Lets a tester deposit tokens for a sell on the networks of test mode. This code does not change the sell. The service detects
// the tokens in the same way as real ones.
import type { Transaction } from '../../domain/records/transaction.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import { koboToToken } from '../../domain/values/money.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { BusinessReader } from '../input/caller.ts';
import { checkAmount, FieldErrors } from '../input/field-rules.ts';
import { hashFields } from '../intake/accept-transaction.ts';
import { readTransaction } from '../intake/read-transactions.ts';
import {
  bindIdempotentName,
  SANDBOX_AMOUNT_BOUNDS,
  type SandboxDeps,
  testModeOnly,
} from './drive-sandbox.ts';

export interface DepositRequest {
  readonly transaction_id: string;
  readonly network?: string;
}

export interface SandboxDepositResult {
  readonly transactionId: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
  readonly txHash: string;
  readonly replayed: boolean;
}

export async function depositTokens(
  deps: SandboxDeps,
  request: {
    readonly caller: BusinessReader;
    readonly body: DepositRequest;
    readonly amountText: string | null;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<SandboxDepositResult, Refusal>> {
  const { caller, body, amountText, idempotencyKey } = request;
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const found = await readTransaction(deps.store, caller, body.transaction_id);
  if (!found.ok) return found;
  const transaction = found.value;
  if (transaction.type !== 'sell')
    return fail(refusal('state_conflict', 'Only a sell receives tokens; this is a buy.'));
  const errors = new FieldErrors();
  const amountMinor =
    amountText === null ? transaction.amountMinor : checkAmount(errors, amountText, SANDBOX_AMOUNT_BOUNDS);
  const asked = chooseNetwork(deps, transaction, body.network);
  if (asked === undefined)
    errors.add('network', 'network_unknown', `network must be one of ${deps.networks.names.join(', ')}.`);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  if (!deps.sandbox.sendsOn(asked!.name))
    return fail(
      refusal(
        'network_not_simulated',
        `Tokens on ${asked!.name} are real here: send them to the deposit address.`,
      ),
    );
  if (koboToToken(amountMinor!, asked!.asset.decimals) === undefined)
    return fail(refusal('amount_not_representable', `${asked!.name} cannot represent this amount exactly.`));

  // The hash does not include omitted fields, because the default network changes when the sell gets a wallet.
  const requestHash = hashFields([
    'deposit',
    transaction.id,
    amountText === null ? null : amountMinor!.toString(),
    body.network === undefined ? null : asked!.name,
  ]);
  const transfer = makeId('dep', deps.clock.now(), deps.entropy.bytes(ID_RANDOM_BYTES));
  const named = await bindIdempotentName(deps, caller, `${asked!.name}/${transfer}`, {
    key: idempotencyKey,
    requestHash,
  });
  if (!named.ok) return named;
  const { name, replayed } = named.value;
  return ok({ ...(await simulateDeposit(deps, transaction, name, amountMinor!)), replayed });
}

function chooseNetwork(
  { networks }: SandboxDeps,
  { wallet, deposits }: Transaction,
  given: string | undefined,
): Network | undefined {
  const name = given === undefined ? (wallet?.network ?? deposits[0]!.network) : networks.spell(given);
  return name === undefined ? undefined : networks.find('test', name);
}

/** `name` contains the network, so that the same name always means the same transfer. */
async function simulateDeposit(
  deps: SandboxDeps,
  transaction: Transaction,
  name: string,
  amountMinor: bigint,
): Promise<Omit<SandboxDepositResult, 'replayed'>> {
  const [networkName = '', transfer] = name.split('/');
  const network = deps.networks.find('test', networkName)!;
  // If the sell has no deposit target on this network, the tokens arrive at an address that no sell waits for.
  const { address, memo } = network.depositTarget(transaction.id);
  const tokens = koboToToken(amountMinor, network.asset.decimals)!;
  const deposit = { network: network.name, address, memo, amountMinor: tokens };
  const txHash = await deps.sandbox.deposit(`${transaction.id}/${transfer}`, deposit);
  return { transactionId: transaction.id, network: network.name, address, memo, amountMinor, txHash };
}
