// Everything that waits for people, and one record with the records beside it, field by field.
import { type TObject, Type } from 'typebox';
import type { RecordWithRest } from '../app/review/read-record.ts';
import type { ReviewQueue, UnknownPayout } from '../ports/review-desk.ts';
import { renderRecord } from './parts/record.ts';
import * as schemas from './parts/schemas.ts';

const records = Type.Array(schemas.record);

export const queueAnswer = {
  transactions: records,
  credits: records,
  deposits: records,
  refunds: records,
  notices: records,
  cases: records,
  quarantined: records,
  unknown_payouts: records,
};

export const recordAnswer = {
  record: schemas.record,
  credits: records,
  deposits: records,
  movements: records,
  timeline: records,
  attempt: schemas.nullable(schemas.record),
  proposals: records,
};

const all = (found: readonly object[]) => found.map(renderRecord);

export function renderQueue(
  queue: ReviewQueue,
  unknownPayouts: readonly UnknownPayout[],
): schemas.Shown<TObject<typeof queueAnswer>> {
  return {
    ...{ transactions: all(queue.transactions), credits: all(queue.credits) },
    ...{ deposits: all(queue.deposits), refunds: all(queue.refunds), notices: all(queue.notices) },
    ...{ cases: all(queue.cases), quarantined: all(queue.quarantined) },
    unknown_payouts: all(unknownPayouts),
  };
}

export function renderWithRest(found: RecordWithRest): schemas.Shown<TObject<typeof recordAnswer>> {
  return {
    ...{ record: renderRecord(found.record), attempt: found.attempt && renderRecord(found.attempt) },
    ...{ credits: all(found.credits), deposits: all(found.deposits), movements: all(found.movements) },
    ...{ timeline: all(found.timeline), proposals: all(found.proposals) },
  };
}
