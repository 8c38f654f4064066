// The vendor routes. `vendors` and `list_vendors` are identical: both list the vendors of the key's mode. `test-vendors` always
// lists the test vendors.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Mode } from '../../domain/values/mode.ts';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';
import { VENDOR_LIST } from '../reference/examples.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from '../reference/route-docs.ts';
import { VendorListAnswer } from '../reference/schemas.ts';
import { cachePerSnapshot, makeCachedAnswer, sendCachedAnswer } from '../requests/cached-answer.ts';
import { callerOf } from '../requests/request-context.ts';

export function addVendorRoutes(app: FastifyInstance, authenticate: onRequestHookHandler): void {
  const answerFor = cachePerSnapshot(renderVendors);
  const paths = [
    { url: '/transactions/v1/vendors', operationId: 'listVendors', only: null },
    { url: '/transactions/v1/list_vendors', operationId: 'listVendorsAlias', only: null },
    { url: '/transactions/v1/test-vendors', operationId: 'listTestVendors', only: 'test' as const },
  ];
  for (const { url, operationId, only } of paths) {
    app.get(url, { onRequest: authenticate, schema: vendorDocs(operationId, only) }, (request, reply) => {
      const { key, catalogue } = callerOf(request);
      sendCachedAnswer(request, reply, answerFor(catalogue, only ?? key.mode));
    });
  }
}

function renderVendors({ vendors, vendorsUpdatedAtMs }: CatalogueSnapshot, mode: Mode) {
  const VendorList = vendors[mode].map(({ name, number, bank }) => ({
    vendorName: name,
    vendorNumber: number,
    vendorBank: bank,
  }));
  const message = VendorList.length === 0 ? 'No vendors yet.' : 'Vendors found.';
  return makeCachedAnswer({ status: 'success', message, VendorList }, vendorsUpdatedAtMs[mode]);
}

function vendorDocs(operationId: string, only: Mode | null) {
  return {
    operationId,
    summary: only === null ? 'List payment vendors' : 'List test vendors',
    description:
      only === null
        ? 'The bank accounts that your customers pay into: live vendors for a live key, test vendors for a test key.'
        : 'Always the test vendors, even for a live key.',
    tags: [TAGS.vendors],
    security: WITH_KEY,
    response: {
      200: jsonAnswer('The vendors.', VendorListAnswer, {
        status: 'success',
        message: 'Vendors found.',
        VendorList: VENDOR_LIST,
      }),
      304: {
        description: 'The list has not changed (if-none-match, if-modified-since).',
        type: 'null',
      },
      ...errorAnswers(...KEY_ERRORS),
    },
  };
}
