// Reads request bodies. It accepts only JSON in UTF-8; the refusal of any other body says how to send it.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { JsonError, readJson } from './json-body.ts';

/** Carries a refusal through the error handling of the framework. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: Refusal;

  constructor(of: Refusal) {
    super(of.message);
    this.refusal = of;
  }
}

export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('numberTexts', null);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const coding = request.headers['content-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      const message = 'The body is compressed. Send it uncompressed, without the Content-Encoding header.';
      return done(new RefusalError(refusal('unsupported_media_type', message)));
    }
    const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      const message = 'The charset in content-type must be utf-8. Send the body as JSON in UTF-8.';
      return done(new RefusalError(refusal('unsupported_media_type', message)));
    }
    if (!isUtf8(body)) {
      return done(
        new RefusalError(refusal('invalid_json', 'The body is not valid UTF-8. Encode it as UTF-8.')),
      );
    }
    try {
      const { value, numberTexts } = readJson(body.toString('utf8'));
      request.numberTexts = numberTexts;
      return done(null, value);
    } catch (error) {
      if (!(error instanceof JsonError)) return done(error as Error);
      return done(new RefusalError(refusal('invalid_json', `The body is ${error.message}.`)));
    }
  });
}
