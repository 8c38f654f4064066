// All records that wait for a person, and one record with its related records, field by field.
import { type TObject, Type } from 'typebox';
import type { RecordWithRelated } from '../app/review/read-record.ts';
import type { ReviewQueue, UnknownPayout } from '../ports/review-store.ts';
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

const renderRecords = (found: readonly object[]) => found.map(renderRecord);

export function renderQueue(
  queue: ReviewQueue,
  unknownPayouts: readonly UnknownPayout[],
): schemas.JsonOf<TObject<typeof queueAnswer>> {
  return {
    ...{ transactions: renderRecords(queue.transactions), credits: renderRecords(queue.credits) },
    ...{
      deposits: renderRecords(queue.deposits),
      refunds: renderRecords(queue.refunds),
      notices: renderRecords(queue.notices),
    },
    ...{ cases: renderRecords(queue.cases), quarantined: renderRecords(queue.quarantined) },
    unknown_payouts: renderRecords(unknownPayouts),
  };
}

export function renderRecordWithRest(found: RecordWithRelated): schemas.JsonOf<TObject<typeof recordAnswer>> {
  return {
    ...{ record: renderRecord(found.record), attempt: found.attempt && renderRecord(found.attempt) },
    ...{
      credits: renderRecords(found.credits),
      deposits: renderRecords(found.deposits),
      movements: renderRecords(found.movements),
    },
    ...{ timeline: renderRecords(found.timeline), proposals: renderRecords(found.proposals) },
  };
}
