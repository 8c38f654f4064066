// Lists recovery cases, open or closed, newest first, with the name of their business.
import type { CaseFilter, CaseRecord } from '../../../ports/operations/operations-store.ts';
import type { Database } from '../connection/database.ts';
import type { AnyRow } from '../reads/settlement-rows.ts';
import { IN_GROUP } from '../review/file-cases.ts';

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const SELECT = `select c.id, c.kind, c.mode, c.business_id as "businessId", b.name as "businessName",
    c.transaction_id as "transactionId", c.credit_id as "creditId", c.movement_id as "movementId", c.about,
    case when r.id is not null then coalesce(r.account_bank_code, 'unknown') || ':' || r.account_number
      when c.kind = 'reconciliation_difference' then split_part(c.about, ' ', 1) end as account,
    case when r.id is not null then to_char(r.value_at at time zone 'Africa/Lagos', 'YYYY-MM-DD')
      when c.kind = 'reconciliation_difference' then split_part(c.about, ' ', 2) end as day,
    c.amount_minor as "amountMinor", ${ms('c.opened_at')} as "openedAtMs", ${ms('c.closed_at')} as "closedAtMs",
    coalesce(p.name, c.closed_by) as "closedBy", c.outcome
  from cases c left join businesses b on b.id = c.business_id left join people p on p.id = c.closed_by
    left join credit_reports r on r.id = c.about`;

const casePageSql = (open: boolean) => `${SELECT}
  where (c.closed_at is null) = ${open} and c.mode = any ($1::text[]) and ($2::text is null or c.id < $2)
    and case when $4::text is null then true when $4 = 'loose' then not ${IN_GROUP} else c.file_id = $4 end
  order by c.id desc limit $3`;

export async function listCaseRows(database: Database, filter: CaseFilter): Promise<readonly CaseRecord[]> {
  const { mode, open, after, limit, ofFile = null } = filter;
  const { rows } = await database.query<AnyRow>({
    name: `operations-cases ${open}`,
    text: casePageSql(open),
    values: [mode === null ? ['live', 'test'] : [mode], after, limit, ofFile],
  });
  return rows.map(caseOf);
}

export async function findCaseRow(database: Database, id: string): Promise<CaseRecord | undefined> {
  const { rows } = await database.query<AnyRow>({
    ...{ name: 'operations-case', text: `${SELECT} where c.id = $1`, values: [id] },
  });
  return rows.map(caseOf)[0];
}

export async function listCasesOfMovement(
  database: Database,
  movementId: string,
): Promise<readonly CaseRecord[]> {
  const { rows } = await database.query<AnyRow>({
    name: 'operations-cases-of-movement',
    text: `${SELECT} where c.movement_id = $1 order by c.id`,
    values: [movementId],
  });
  return rows.map(caseOf);
}

function caseOf(row: AnyRow): CaseRecord {
  return { ...row, amountMinor: BigInt(row.amountMinor) };
}
