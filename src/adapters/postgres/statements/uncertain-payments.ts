// Handles payments that an earlier version released from statement files that do not show the direction of the money. The
// direction is proven if a row of the same day, or of the last earlier day with rows, shows the balance before this payment.
import type { Mode } from '../../../domain/values/mode.ts';
import type { UncertainRow } from '../../../ports/statements.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  of,
  part,
  plainColumn,
} from '../connection/record-columns.ts';
import { STATEMENTS_RAIL } from './statement-feed.ts';

const UNCERTAIN = defineColumns<UncertainRow>({
  ...of('r', {
    ...all(plainColumn, 'mode', 'account', 'narration', 'fileId', 'line'),
    amountMinor: bigintColumn,
  }),
  ...{ day: columnFrom('r.day::text', plainColumn), profile: columnFrom('f.profile', plainColumn) },
  credit: part<NonNullable<UncertainRow['credit']>>(
    of('c', all(plainColumn, 'id', 'state', 'transactionId')),
  ),
});

export async function listUncertainPayments(
  database: Database,
  filter: {
    readonly mode: Mode | null;
    readonly certainProfiles: readonly string[];
    readonly limit: number;
  },
): Promise<readonly UncertainRow[]> {
  const { rows } = await database.query({
    name: 'list-uncertain-rows',
    text: `select ${UNCERTAIN.list()}
      from statement_rows r
        join statement_files f on f.id = r.file_id
        left join bank_credits c on c.mode = r.mode and c.source = $4 and c.source_id = r.key || '/' || r.ordinal
      where r.direction_by is null and r.release_no is not null and r.kind = 'payment' and r.amount_minor > 0
        and ($1::text is null or r.mode = $1) and f.vendor_id is not null and f.profile <> all($2::text[])
        and not exists (
          select from statement_rows p where p.mode = r.mode and p.account = r.account
            and p.balance_minor = r.balance_minor - r.amount_minor
            and (p.day = r.day or p.day = (select max(d.day) from statement_days d
              where d.mode = r.mode and d.account = r.account and d.day < r.day and d.rows > 0)))
      order by r.mode, r.release_no limit $3`,
    values: [filter.mode, filter.certainProfiles, filter.limit, STATEMENTS_RAIL],
  });
  return rows.map(UNCERTAIN.read);
}
