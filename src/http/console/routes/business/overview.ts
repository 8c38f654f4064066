// The data and the default wallets of a business, for its members.
import { Type } from 'typebox';
import { setDefaultWallet } from '../../../../app/back-office/manage-businesses.ts';
import type { Mode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { NO_SUCH_BUSINESS } from '../../refusals.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';

const TAG = { tag: 'Business' } as const;
const GET = { ...TAG, method: 'GET' } as const;

const overviewRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '',
    name: 'getBusiness',
    summary: 'Read the business: its id, link tag and default wallets, and your role',
    answer: {
      business_id: Type.String(),
      name: Type.String(),
      link_tag: Type.String(),
      role: schemas.businessRole,
      default_wallets: Type.Object({
        live: schemas.nullable(schemas.wallet),
        test: schemas.nullable(schemas.wallet),
      }),
    },
  },
  async ({ businessId, role }, { backOffice }) => {
    const business = (await backOffice.listBusinesses()).find(({ id }) => id === businessId);
    if (business === undefined) return fail(NO_SUCH_BUSINESS);
    const { id, name, linkTag } = business;
    const wallet = async (mode: Mode) => {
      const found = await backOffice.defaultWallet(businessId, mode);
      return found === null ? null : { network: found.network, wallet_address: found.address };
    };
    const wallets = { live: await wallet('live'), test: await wallet('test') };
    return ok({ business_id: id, name, link_tag: linkTag, role, default_wallets: wallets });
  },
);

const defaultWalletRoute = businessRoute(
  'business.manage',
  {
    ...TAG,
    method: 'PUT',
    path: '/default-wallet',
    name: 'setDefaultWallet',
    summary: 'Set or remove the default wallet, which receives the tokens of buys without a wallet',
    body: Type.Object({
      mode: schemas.mode,
      network: Type.Optional(
        Type.String({
          maxLength: 60,
          description: 'the network. If omitted, the default wallet is removed.',
        }),
      ),
      wallet_address: Type.Optional(
        Type.String({ maxLength: 200, description: 'the address on that network.' }),
      ),
    }),
    answer: { default_wallet: schemas.nullable(schemas.wallet) },
    refusals: [
      'network_unknown',
      'network_not_enabled',
      'wallet_incomplete',
      'wallet_invalid',
      'wallet_network_mismatch',
      'wallet_forbidden',
    ],
  },
  async ({ businessId, actor, body }, deps) => {
    const { mode, network, wallet_address: address } = body;
    const set = await setDefaultWallet({ ...deps, actor }, { businessId, mode, network, address });
    if (!set.ok) return set;
    const wallet = set.value && { network: set.value.network, wallet_address: set.value.address };
    return ok({ default_wallet: wallet });
  },
);

export const businessRoutes: readonly ConsoleRoute[] = [overviewRoute, defaultWalletRoute];
