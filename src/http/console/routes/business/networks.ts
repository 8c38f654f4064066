// The networks that a business can use in one mode, for the forms on its pages.
import { Type } from 'typebox';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';

const network = schemas.nameSchema(
  'Network',
  Type.Object({
    name: Type.String(),
    enabled: Type.Boolean(),
    asset: schemas.nullable(Type.String({ description: 'The code of its token; null if unknown.' })),
    decimals: schemas.nullable(Type.Integer({ description: 'Decimals of its token; null if unknown.' })),
    explorer: schemas.nullable(
      Type.String({
        description:
          'URL of a transaction in the explorer, with {hash} as a placeholder for the hash; null without an explorer.',
      }),
    ),
  }),
);

const HASH = '{hash}';

export const networkRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'transactions.read',
    {
      tag: 'Business',
      method: 'GET',
      path: '/networks/:mode',
      name: 'listBusinessNetworks',
      summary: 'List every network, and whether it is enabled in the mode',
      answer: { networks: Type.Array(network) },
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, { networks }) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const disabled = new Map(networks.disabled(mode).map(({ name, described }) => [name, described]));
      const listed = networks.names.map((name) => {
        const found = networks.find(mode, name);
        const asset = found?.asset ?? disabled.get(name)?.asset;
        return {
          name,
          enabled: found !== undefined,
          asset: asset?.code ?? null,
          decimals: asset?.decimals ?? null,
          explorer: found?.explorerUrl(HASH) ?? null,
        };
      });
      return ok({ networks: listed });
    },
  ),
];
