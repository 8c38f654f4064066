// Exports all data about one customer as one document: the places, the retention, and the content. The audit log records the
// export before any data is shown. The audit entry contains a part of the keyed hash instead of the person's data.
import { decideRetention, makePersonAlias, type PersonQuery } from '../../domain/privacy/person-query.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { PersonalHash } from '../../ports/privacy.ts';
import { type RecordActionDeps, recordAction } from '../audit/record-actions.ts';
import { type FindPersonDeps, findPerson } from './find-person.ts';

export interface ExportPersonDeps extends FindPersonDeps, RecordActionDeps {
  readonly personalHash: PersonalHash;
  readonly keepMs: number | null;
  /** How long the law requires live records. */
  readonly byLawMs: number;
  readonly requestsKeepMs: number;
}

export async function exportPerson(deps: ExportPersonDeps, person: PersonQuery, mode: Mode | null) {
  const { account, name } = person;
  const detail = {
    ...{ mode: mode ?? 'both', person: pseudonymOf(deps.personalHash, person) },
    by: [account !== null && 'account', name !== null && 'name'].filter((each) => each !== false),
  };
  await recordAction(deps, 'privacy.exported', null, detail);
  const { rows, travelRule, kept } = await findPerson(deps, person, mode);
  return {
    exportedAtMs: deps.clock.now(),
    person: { account, bankCode: person.bankCode, name },
    mode: mode ?? 'both',
    rows: rows.map(({ overSinceMs, isByLaw, settles: _settles, standsAlone: _standsAlone, ...row }) => {
      const keepMs = row.place === 'request_log' ? deps.requestsKeepMs : deps.keepMs;
      const byLawMs = isByLaw ? deps.byLawMs : null;
      return {
        ...{ ...row, isByLaw },
        kept: row.erased ? { kind: 'erased' as const } : decideRetention({ overSinceMs, keepMs, byLawMs }),
        /** Until then no request erases it. */
        byLawUntilMs: byLawMs === null || overSinceMs === null ? null : overSinceMs + byLawMs,
      };
    }),
    /** The law requires the operator to keep these records. They are stored sealed, and the export shows their content. */
    travelRule,
    /** The ledger entries and proposals that contain the account. Other commands show them. */
    keptRecords: kept,
  };
}

/** Makes the pseudonym of a person, from the account if it is given. The pseudonym is the same in every export and erasure. */
export function pseudonymOf(hash: PersonalHash, { account, name }: PersonQuery): string {
  return makePersonAlias(account === null ? hash('name', name!) : hash('number', account));
}
