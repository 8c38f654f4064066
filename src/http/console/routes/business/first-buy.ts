// The values for a first buy: the vendors of the mode and, in test mode, a valid bank account and valid wallets that belong to
// no customer.
import { Type } from 'typebox';
import { makeExampleAccountNumber } from '../../../../app/sandbox/example-account-number.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_NETWORK, EXAMPLE_WALLETS } from '../../../../ports/sandbox.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';
import { readReader } from './agent.ts';

const SERIAL = 12_345_678;

const vendor = schemas.nameSchema(
  'BuyVendor',
  Type.Object({
    vendor_name: Type.String(),
    vendor_number: Type.String(),
    vendor_bank: Type.String(),
  }),
);
const example = schemas.nameSchema(
  'BuyExample',
  Type.Object({
    bank_name: Type.String(),
    account_number: Type.String(),
    account_name: Type.String(),
    network: Type.String(),
    wallets: schemas.textsByName('Wallet addresses by network name.'),
  }),
);

export const firstBuyRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'transactions.read',
    {
      tag: 'Business',
      method: 'GET',
      path: '/first-buy/:mode',
      name: 'getFirstBuy',
      summary: 'Read the vendors of the mode, and example values for a first buy in test mode',
      answer: { vendors: Type.Array(vendor), example: schemas.nullable(example) },
      refusals: ['not_found'],
    },
    async (call, { activity: { catalogue }, networks }) => {
      const reader = readReader(call);
      if (reader === undefined) return fail(NO_SUCH_RECORD);
      const { mode } = reader.key;
      const { vendors } = catalogue.current() ?? (await catalogue.refresh());
      const wallets = networks.enabled(mode).flatMap(({ name }) => {
        const wallet = EXAMPLE_WALLETS[name.toLowerCase()];
        return wallet === undefined ? [] : [[name, wallet] as const];
      });
      return ok({
        vendors: vendors[mode].map(({ name, number, bank }) => ({
          ...{ vendor_name: name, vendor_number: number, vendor_bank: bank },
        })),
        example:
          mode === 'live'
            ? null
            : {
                bank_name: EXAMPLE_ACCOUNT.bank,
                account_number: makeExampleAccountNumber(SERIAL),
                account_name: EXAMPLE_ACCOUNT.name,
                network: EXAMPLE_NETWORK,
                wallets: Object.fromEntries(wallets),
              },
      });
    },
  ),
];
