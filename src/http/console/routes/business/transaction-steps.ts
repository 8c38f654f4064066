// Actions of members on transactions. In both modes, members set a wallet or cancel a transaction. In test mode, they also
// create a transaction with example values and simulate its next step. A repeated click sends the same Idempotency-Key, so the
// service executes it only once.
import { Type } from 'typebox';
import type { AcceptedTransaction } from '../../../../app/intake/accept-transaction.ts';
import { cancelTransaction } from '../../../../app/intake/change-transaction.ts';
import { readWithDetails } from '../../../../app/intake/read-details.ts';
import { setWallet } from '../../../../app/intake/set-wallet.ts';
import { depositTokens } from '../../../../app/sandbox/deposit-tokens.ts';
import { makeExampleTransaction } from '../../../../app/sandbox/make-example-transaction.ts';
import { payBuy, reversePayment } from '../../../../app/sandbox/play-step.ts';
import { formatDecimal } from '../../../../domain/values/money.ts';
import { fail, ok, type Result } from '../../../../domain/values/result.ts';
import { SCENARIOS } from '../../../../ports/sandbox.ts';
import { idempotencyKeyOf } from '../../../requests/request-context.ts';
import { renderDetailedTransaction } from '../../../routes/render-transaction.ts';
import type { ConsoleDeps } from '../../deps.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRefusal, NO_SUCH_RECORD } from '../../refusals.ts';
import { type BusinessCall, businessRoute, type ConsoleRoute, type HandlerResult } from '../../route.ts';
import { readReader } from './agent.ts';

const POST = { tag: 'Business', method: 'POST' } as const;
const TEST = '/transactions/test/:transaction_id';
const ANY = '/transactions/:mode/:transaction_id';
const DEFAULT_AMOUNT = '15000.00';

const amount = Type.Optional(
  Type.String({ minLength: 1, maxLength: 30, description: 'an amount in naira, for example 15000.00.' }),
);
const network = Type.Optional(
  Type.String({ minLength: 1, maxLength: 60, description: 'the name of a network.' }),
);
const transactionAnswer = { transaction: fields.transaction };
const IDEMPOTENCY = ['idempotency_key_invalid', 'idempotency_key_reused'] as const;
const NO_TRANSACTION = ['transaction_not_found', 'state_conflict'] as const;
const AMOUNT = [
  'amount_malformed',
  'amount_below_minimum',
  'amount_above_maximum',
  'amount_too_precise',
] as const;

/** The member acts as a tester, but only for their own business and in test mode. */
function testerOf({ businessId }: BusinessCall) {
  return { key: { business: { id: businessId }, mode: 'test' } } as const;
}

async function readCatalogue({ activity: { catalogue } }: ConsoleDeps) {
  return catalogue.current() ?? (await catalogue.refresh());
}

async function answerChange(
  { reply }: BusinessCall,
  deps: ConsoleDeps,
  result: Result<AcceptedTransaction, ConsoleRefusal>,
): HandlerResult<typeof transactionAnswer> {
  if (!result.ok) return result;
  const { transaction, replayed } = result.value;
  if (replayed) reply.header('idempotent-replayed', 'true');
  const [detailed] = await readWithDetails(deps, [transaction]);
  return ok({ transaction: renderDetailedTransaction(detailed!, deps.networks) });
}

const makeRoute = businessRoute(
  'sandbox.use',
  {
    ...POST,
    path: '/transactions/test',
    name: 'makeTestTransaction',
    summary:
      'Create a buy or a sell in test mode with example values; a scenario simulates its steps automatically',
    body: Type.Object({
      kind: Type.Union([Type.Literal('buy'), Type.Literal('sell')], { description: 'buy or sell.' }),
      scenario: Type.Optional(Type.String({ maxLength: 40, description: `one of ${SCENARIOS.join(', ')}.` })),
      amount,
      network,
    }),
    answer: transactionAnswer,
    refusals: [
      ...IDEMPOTENCY,
      ...AMOUNT,
      ...(['state_conflict', 'scenario_unknown', 'network_unknown', 'network_not_enabled'] as const),
      ...(['wallet_invalid', 'amount_not_representable'] as const),
    ],
  },
  async (call, deps) => {
    const key = idempotencyKeyOf(call.request);
    if (!key.ok) return key;
    const { kind, scenario, amount = DEFAULT_AMOUNT, network } = call.body;
    const catalogue = await readCatalogue(deps);
    const request = { kind, scenario, network, amountText: amount, idempotencyKey: key.value };
    const made = await makeExampleTransaction(deps.activity.submissions, call.businessId, catalogue, request);
    return answerChange(call, deps, made);
  },
);

const payRoute = businessRoute(
  'sandbox.use',
  {
    ...POST,
    path: `${TEST}/pay`,
    name: 'payTestBuy',
    summary: 'Simulate the payment of a test buy into the vendor’s bank account',
    body: Type.Object({ amount }),
    answer: { bank_credit: Type.Object({ id: Type.String(), amount: Type.String() }) },
    refusals: [...IDEMPOTENCY, ...AMOUNT, ...NO_TRANSACTION, 'vendor_unknown'],
  },
  async (call, deps) => {
    const key = idempotencyKeyOf(call.request);
    if (!key.ok) return key;
    const paid = await payBuy(sandboxDeps(deps), {
      caller: { ...testerOf(call), catalogue: await readCatalogue(deps) },
      transactionId: call.params.transaction_id!,
      amountText: call.body.amount ?? null,
      idempotencyKey: key.value,
    });
    if (!paid.ok) return paid;
    deps.activity.wakeFeeds('banks');
    return ok({ bank_credit: { id: paid.value.id, amount: formatDecimal(paid.value.amountMinor, 2) } });
  },
);

function sandboxDeps(deps: ConsoleDeps) {
  const { store, networks, clock, activity } = deps;
  return { store, networks, clock, entropy: activity.entropy, sandbox: activity.sandbox };
}

const depositRoute = businessRoute(
  'sandbox.use',
  {
    ...POST,
    path: `${TEST}/deposit`,
    name: 'depositTestTokens',
    summary: 'Simulate the arrival of the tokens of a test sell at its deposit address',
    body: Type.Object({ amount, network }),
    answer: {
      deposit: Type.Object({ network: Type.String(), amount: Type.String(), tx_hash: Type.String() }),
    },
    refusals: [
      ...IDEMPOTENCY,
      ...AMOUNT,
      ...NO_TRANSACTION,
      ...(['network_unknown', 'network_not_simulated', 'amount_not_representable'] as const),
    ],
  },
  async (call, deps) => {
    const key = idempotencyKeyOf(call.request);
    if (!key.ok) return key;
    const { amount, network } = call.body;
    const sent = await depositTokens(sandboxDeps(deps), {
      caller: testerOf(call),
      body: {
        transaction_id: call.params.transaction_id!,
        ...(network !== undefined && { network }),
      },
      amountText: amount ?? null,
      idempotencyKey: key.value,
    });
    if (!sent.ok) return sent;
    deps.activity.wakeFeeds('networks');
    const { amountMinor, txHash } = sent.value;
    return ok({
      deposit: { network: sent.value.network, amount: formatDecimal(amountMinor, 2), tx_hash: txHash },
    });
  },
);

const reverseRoute = businessRoute(
  'sandbox.use',
  {
    ...POST,
    path: `${TEST}/reverse`,
    name: 'reverseTestPayment',
    summary: 'Simulate the reversal of the payment of a test buy by the bank',
    body: Type.Object({}),
    answer: { bank_credit: Type.Object({ id: Type.String() }) },
    refusals: [...IDEMPOTENCY, ...NO_TRANSACTION, 'credit_not_found'],
  },
  async (call, deps) => {
    const key = idempotencyKeyOf(call.request);
    if (!key.ok) return key;
    const reversed = await reversePayment(sandboxDeps(deps), {
      caller: testerOf(call),
      transactionId: call.params.transaction_id!,
      idempotencyKey: key.value,
    });
    if (!reversed.ok) return reversed;
    deps.activity.wakeFeeds('banks');
    return ok({ bank_credit: { id: reversed.value.id } });
  },
);

const walletRoute = businessRoute(
  'transactions.write',
  {
    ...POST,
    path: `${ANY}/wallet`,
    name: 'giveTransactionWallet',
    summary: 'Set the wallet of a transaction; it cannot be changed later',
    body: Type.Object({
      network: Type.String({ minLength: 1, maxLength: 60, description: 'the name of a network.' }),
      wallet_address: Type.String({ minLength: 1, maxLength: 200, description: 'the address there.' }),
    }),
    answer: transactionAnswer,
    refusals: [
      ...NO_TRANSACTION,
      ...(['network_unknown', 'network_not_enabled', 'wallet_invalid', 'wallet_network_mismatch'] as const),
      ...(['wallet_forbidden', 'not_found'] as const),
    ],
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const caller = { key: { ...reader.key, id: call.actor } };
    const request = { caller, transactionId: call.params.transaction_id!, body: call.body };
    return answerChange(call, deps, await setWallet(deps, request));
  },
);

const cancelRoute = businessRoute(
  'transactions.write',
  {
    ...POST,
    path: `${ANY}/cancel`,
    name: 'cancelBusinessTransaction',
    summary: 'Cancel a transaction that has received no money yet',
    body: Type.Object({}),
    answer: transactionAnswer,
    refusals: [...IDEMPOTENCY, ...NO_TRANSACTION, 'not_found'],
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const key = idempotencyKeyOf(call.request);
    if (!key.ok) return key;
    const caller = { key: { ...reader.key, id: call.actor } };
    const request = { caller, transactionId: call.params.transaction_id!, idempotencyKey: key.value };
    return answerChange(call, deps, await cancelTransaction(deps, request));
  },
);

export const transactionStepRoutes: readonly ConsoleRoute[] = [
  makeRoute,
  payRoute,
  depositRoute,
  reverseRoute,
  walletRoute,
  cancelRoute,
];
