// A mail of the queue.
import { Type } from 'typebox';
import type { StoredMail } from '../../ports/mail.ts';
import * as schemas from '../parts/schemas.ts';
import { isoOrNull, isoTime } from '../parts/values.ts';

export const mailShape = schemas.named(
  'Mail',
  Type.Object({
    ...{ id: Type.String(), recipient: Type.String(), subject: Type.String() },
    state: schemas.oneOf(['queued', 'sent', 'kept', 'problem', 'cancelled']),
    body: schemas.nullable(Type.String({ description: 'Null once the mail is sent or its link has ended.' })),
    problem: schemas.nullable(Type.String()),
    ...{ created_at: schemas.time, sent_at: schemas.nullable(schemas.time) },
  }),
);

export function renderMail(given: StoredMail): schemas.Shown<typeof mailShape> {
  const { id, recipient, subject, state, body, problem, createdAtMs, sentAtMs } = given;
  return {
    ...{ id, recipient, subject, state, body, problem },
    ...{ created_at: isoTime(createdAtMs), sent_at: isoOrNull(sentAtMs) },
  };
}
