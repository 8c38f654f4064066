// `buy`, `sell` and `pay`: make a complete transaction by hand. In test mode only the amount is required.
import type { InitiateBuyScenario, Transaction, Vendor } from '../../../../sdk/src/index.ts';
import { minorToWire } from '../../../domain/values/money.ts';
import { SCENARIOS } from '../../../ports/sandbox.ts';
import { defineClientCommand } from '../../client/client-command.ts';
import { customerAccountOf, expectedPaymentOf, walletOf } from '../../client/sandbox-defaults.ts';
import type { ConnectedService } from '../../client/service.ts';
import { asJson, nairaText, printTransaction, timeText } from '../../client/show.ts';
import { type Command, nairaOption, type Terminal } from '../../command.ts';
import { CommandError, UsageError } from '../../terminal/command-error.ts';
import type { OptionTable } from '../../terminal/options.ts';

const CREATE_OPTIONS = {
  account: { value: 'NUMBER', about: 'bank account number, 10 digits' },
  bank: { value: 'NAME', about: 'bank of the account' },
  'account-name': { value: 'NAME', about: 'name of the account owner' },
  network: { value: 'NAME', about: 'network of the wallet (default in test mode: Polygon)' },
  wallet: { value: 'ADDRESS', about: 'wallet that receives the tokens of a buy, or the refund of a sell' },
  quote: { value: 'ID', about: 'quote to use; AMOUNT must equal its naira amount' },
  reference: { value: 'TEXT', about: 'your own reference; repeating a request with it is safe' },
  scenario: { choices: SCENARIOS, about: 'test mode: scenario that the sandbox plays' },
} as const satisfies OptionTable;

const buyCommand = defineClientCommand({
  name: 'buy',
  words: ['AMOUNT'],
  summary: 'Submit a buy for AMOUNT naira. In test mode everything else has a default.',
  options: {
    ...CREATE_OPTIONS,
    vendor: {
      value: 'NUMBER',
      about: 'account number of the vendor to pay (default: the first vendor)',
    },
  },
  run: async (terminal, service, { words: [amount], options }) => {
    const fields = requestFieldsOf(service, amount, options);
    const vendor = pickVendor(await service.client.vendors(), options.vendor);
    const buy = await service.client.buy({ ...fields, vendor }, scenarioHeaderOf(options.scenario));
    printTransaction(terminal, buy);
    const { vendorName, vendorBank, vendorNumber } = vendor;
    terminal.print(
      `\nThe customer pays ${nairaText(buy.amount)} to ${vendorName}, ${vendorBank} ${vendorNumber}.`,
    );
    printNextStep(terminal, service, buy, options.scenario);
    return asJson(buy);
  },
});

const sellCommand = defineClientCommand({
  name: 'sell',
  words: ['AMOUNT'],
  summary: 'Submit a sell that pays out AMOUNT naira. In test mode everything else has a default.',
  options: CREATE_OPTIONS,
  run: async (terminal, service, { words: [amount], options }) => {
    const fields = requestFieldsOf(service, amount, options);
    const sell = await service.client.sell(fields, scenarioHeaderOf(options.scenario));
    printTransaction(terminal, sell);
    terminal.print('');
    for (const { network, address, memo, asset, expected_amount, expires_at } of sell.deposits ?? []) {
      const with_ = memo === null ? '' : ` with the memo ${memo}`;
      const tokens = `${expected_amount} ${asset}`;
      terminal.print(`Send ${tokens} on ${network} to ${address}${with_} by ${timeText(expires_at)}.`);
    }
    printNextStep(terminal, service, sell, options.scenario);
    return asJson(sell);
  },
});

const payCommand = defineClientCommand({
  name: 'pay',
  words: ['ID'],
  summary:
    'Test mode: simulate the payment of a buy or the token deposit of a sell. Each call is a new payment.',
  options: {
    amount: { value: 'AMOUNT', about: 'amount that arrives (default: the amount due)' },
    network: { value: 'NAME', about: 'sell: the network on which the tokens arrive' },
  },
  run: async (terminal, { client, mode }, { words: [id], options }) => {
    if (mode === 'live')
      throw new CommandError(
        'pay works only in test mode. In live mode the bank reports payments.',
        'not_allowed',
      );
    const transaction = await client.transactions.get(id);
    const given =
      options.amount === undefined ? undefined : minorToWire(nairaOption(options.amount, '--amount'));
    if (!['awaiting_payment', 'awaiting_deposit', 'awaiting_wallet'].includes(transaction.state))
      terminal.note(`The transaction is already ${transaction.state}: this is an additional payment.`);
    const amount = given ?? transaction.amount;
    const follow = `Follow it: bin/sliproad status ${id} --watch`;
    if (transaction.type === 'Buy') {
      if (options.network !== undefined)
        throw new UsageError('--network is only for sells: a buy is paid at the bank.');
      const credit = await client.sandbox.bankCredit(expectedPaymentOf(transaction, amount));
      terminal.print(`${nairaText(amount)} arrived at the bank (${credit.id}). ${follow}`);
      return { transaction_id: id, bank_credit: asJson(credit) };
    }
    const { network } = options;
    const body = {
      transaction_id: id,
      ...(given !== undefined && { amount: given }),
      ...(network && { network }),
    };
    const deposit = await client.sandbox.deposit(body);
    terminal.print(
      `Tokens for ${nairaText(deposit.amount)} arrived on ${deposit.network} (${deposit.tx_hash}). ${follow}`,
    );
    return { transaction_id: id, deposit: asJson(deposit) };
  },
});

export const createCommands: readonly Command[] = [buyCommand, sellCommand, payCommand];

interface CreateCommandOptions {
  readonly account: string | undefined;
  readonly bank: string | undefined;
  readonly 'account-name': string | undefined;
  readonly network: string | undefined;
  readonly wallet: string | undefined;
  readonly reference: string | undefined;
  readonly quote?: string | undefined;
}

export function requestFieldsOf(service: ConnectedService, amount: string, options: CreateCommandOptions) {
  const { mode, businessId, linkTag } = service;
  if (businessId === undefined || linkTag === undefined)
    throw new CommandError(
      'The business is missing: set SLIPROAD_BUSINESS_ID and SLIPROAD_LINK_TAG, which the operator gave you with the key.',
      'usage',
    );
  return {
    amount: minorToWire(nairaOption(amount, 'AMOUNT')),
    ...customerAccountOf(mode, options),
    ...walletOf(mode, options),
    ...(options.reference !== undefined && { reference: options.reference }),
    ...(options.quote !== undefined && { quote_id: options.quote }),
  };
}

export function pickVendor(vendors: readonly Vendor[], number: string | undefined): Vendor {
  const found = number === undefined ? vendors[0] : vendors.find((each) => each.vendorNumber === number);
  if (found !== undefined) return found;
  if (vendors.length === 0)
    throw new CommandError(
      'The service has no vendor yet. The operator must add one (vendors add).',
      'conflict',
    );
  const known = vendors.map(({ vendorNumber }) => vendorNumber).join(', ');
  throw new CommandError(`No vendor has the account number ${number}. Known: ${known}.`, 'not_found');
}

function scenarioHeaderOf(scenario: InitiateBuyScenario | undefined) {
  return scenario === undefined ? {} : { scenario };
}

function printNextStep(
  terminal: Terminal,
  { mode }: ConnectedService,
  { transaction_id: id, type }: Transaction,
  scenario?: string,
) {
  if (mode === 'test' && scenario === undefined) {
    const what = type === 'Buy' ? 'the payment' : 'the tokens';
    terminal.print(`To simulate ${what}: bin/sliproad pay ${id}`);
  }
  terminal.print(`To follow it: bin/sliproad status ${id} --watch`);
}
