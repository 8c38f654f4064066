// POST /rails/{place}/validation: a rail asks for confirmation before it pays. The request needs no key of this service: each
// rail proves its identity in its own way over the bytes of the body. This route is not part of the API for businesses
// (docs/operate/monnify.md).
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import {
  listValidationPlaces,
  type ValidatePayoutDeps,
  validatePayout,
} from '../../app/rails/validate-payout.ts';
import { refusal } from '../../domain/values/refusals.ts';
import { clientOfAddress } from '../admission/client-address.ts';
import { sendRefusal } from '../errors.ts';

export interface ValidationRouteDeps extends ValidatePayoutDeps {
  readonly publicly: onRequestHookHandler;
}

const MOST_BYTES = 65_536;
const NOT_PROVEN = refusal('unauthorized', 'This request is not proven to come from the rail.');

export function addValidationRoutes(app: FastifyInstance, deps: ValidationRouteDeps): void {
  // This route has its own scope, because the rail's proof covers the raw bytes of the body.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const options = { onRequest: deps.publicly, bodyLimit: MOST_BYTES, schema: { hide: true } } as const;
    for (const place of listValidationPlaces(deps.banks)) {
      const handle = (request: FastifyRequest, reply: FastifyReply) =>
        answerValidation(deps, place, request, reply);
      scope.post(`/rails/${place}/validation`, options, handle);
      scope.post(`/rails/${place}/validation/:pathKey`, options, handle);
    }
  });
}

async function answerValidation(
  deps: ValidationRouteDeps,
  place: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const validated = await validatePayout(deps, place, {
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: request.headers,
    address: clientOfAddress(request.ip),
    pathKey: (request.params as { readonly pathKey?: string }).pathKey ?? null,
  });
  switch (validated.kind) {
    case 'forged':
      return sendRefusal(reply, NOT_PROVEN);
    case 'unreadable':
      return sendRefusal(reply, refusal('invalid_body', `The question ${validated.why}.`));
    case 'answered':
      return validated.body;
  }
}
