// The bank directory for integrators: the names that `bank_name` recognises. The directory changes only with a release, so the
// whole list is rendered once.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { Bank, BankDirectory } from '../../domain/catalogue/banks.ts';
import { fieldRefusal } from '../../domain/values/refusals.ts';
import { sendRefusal } from '../errors.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from '../reference/route-docs.ts';
import { type CachedAnswer, makeCachedAnswer, sendCachedAnswer } from '../requests/cached-answer.ts';

const MAX_SEARCH = 100;
const BAD_SEARCH = fieldRefusal([
  {
    field: 'q',
    code: 'filter_invalid',
    message: `q must be 1 to ${MAX_SEARCH} characters of a name, an alias or a code. Omit it to get every bank.`,
  },
]);

export function addBankRoutes(
  app: FastifyInstance,
  authenticate: onRequestHookHandler,
  banks: BankDirectory,
): void {
  let all: CachedAnswer | undefined;
  app.get<{ Querystring: { q?: string } }>(
    '/banks/v1',
    { onRequest: authenticate, schema: bankDocs },
    (request, reply) => {
      const { q } = request.query;
      if (q === undefined) {
        all ??= renderBanks(banks.all);
        return sendCachedAnswer(request, reply, all);
      }
      if (q.trim() === '' || q.length > MAX_SEARCH) return sendRefusal(reply, BAD_SEARCH);
      return sendCachedAnswer(request, reply, renderBanks(banks.search(q)));
    },
  );
}

function renderBanks(found: readonly Bank[]): CachedAnswer {
  const banks = found.map(({ code, name, aliases, nipCode, cbnCode, payable }) => ({
    ...{ code, name, aliases, payable },
    nip_code: nipCode,
    cbn_code: cbnCode,
  }));
  const message = banks.length === 0 ? 'No matching bank.' : 'Banks found.';
  // The response has no date, because the processes of one release would send different dates.
  return makeCachedAnswer({ status: 'success', message, banks }, null);
}

const BankListAnswer = Type.Object({
  status: Type.String({ enum: ['success'] }),
  message: Type.String(),
  banks: Type.Array(
    Type.Object({
      code: Type.String({ description: 'Our own code for the bank. It never changes.' }),
      name: Type.String(),
      aliases: Type.Array(Type.String(), { description: 'Other names of the bank that are recognised.' }),
      payable: Type.Boolean({
        description: 'Whether its accounts can receive payouts. If false, a sell to this bank is refused.',
      }),
      nip_code: Type.String({ description: 'Code of the bank for transfers (NIP).' }),
      cbn_code: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Code of the bank at the central bank (CBN).',
      }),
    }),
  ),
});

const bankDocs = {
  operationId: 'listBanks',
  summary: 'List banks',
  description:
    'The bank directory. `bank_name` of a buy or a sell may be the code, the name, an alias, the nip_code or the cbn_code of a bank, in upper or lower ' +
    'case. A value that two banks share is not recognised: prefer `code`.',
  tags: [TAGS.banks],
  security: WITH_KEY,
  querystring: Type.Object({
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_SEARCH,
        description: 'Only banks with a similar name, alias or code, the closest match first.',
      }),
    ),
  }),
  response: {
    200: jsonAnswer('The banks.', BankListAnswer, {
      status: 'success',
      message: 'Banks found.',
      banks: [
        {
          code: 'access-bank',
          name: 'Access Bank',
          aliases: ['Access', 'Access Bank Plc'],
          payable: true,
          nip_code: '000014',
          cbn_code: '044',
        },
      ],
    }),
    304: { description: 'The list has not changed (if-none-match).', type: 'null' },
    ...errorAnswers(...KEY_ERRORS, 'filter_invalid'),
  },
};
