// The open cases that the rows of one statement file opened.
import type { FileCase } from '../../../domain/review/case-groups.ts';
import type { CaseGroup } from '../../../ports/operations/operations-store.ts';
import type { Database } from '../connection/database.ts';
import { type AnyRow, REPORTS } from '../reads/settlement-rows.ts';

/** Cases of a file with at least two open cases are shown as one group. `c` is the case. */
export const IN_GROUP = `(c.closed_at is null and c.file_id is not null and exists (
  select from cases o where o.file_id = c.file_id and o.closed_at is null and o.id <> c.id))`;

/** The report has columns with the same names, so the columns of the case have other ones. */
const OF_FILE = `select ${REPORTS.columns}, k.*
  from (select id as case_id, mode as case_mode, amount_minor::text as case_minor, business_id as case_business, about as case_about
    from cases where file_id = $1 and closed_at is null order by id limit $2) k
  join credit_reports on credit_reports.id = k.case_about
  order by k.case_id`;

export async function readOpenCasesOfFile(
  database: Database,
  fileId: string,
  limit: number,
): Promise<readonly FileCase[]> {
  const { rows } = await database.query<AnyRow>({
    ...{ name: 'open-cases-of-file', text: OF_FILE, values: [fileId, limit] },
  });
  return rows.map(({ case_id, case_mode, case_minor, case_business, case_about, ...report }) => ({
    report: REPORTS.read(report),
    found: {
      ...{ id: case_id, kind: 'report_left_over', mode: case_mode, businessId: case_business },
      ...{ transactionId: null, creditId: null, about: case_about, amountMinor: BigInt(case_minor) },
    },
  }));
}

const GROUPS = `select g.*, f.name, f.account, (
    select p.id from proposals p left join proposal_decisions d on d.proposal_id = p.id
    where p.subject_id = g."fileId" and p.kind = 'review' and d.proposal_id is null order by p.id desc limit 1) as "proposalId"
  from (select file_id as "fileId", mode, count(*)::int as cases, sum(amount_minor)::text as minor,
      (extract(epoch from min(opened_at)) * 1000)::float8 as "openedAtMs"
    from cases where closed_at is null and file_id is not null and mode = any ($1::text[])
    group by file_id, mode having count(*) > 1) g
  left join statement_files f on f.id = g."fileId" order by g."openedAtMs" desc, g."fileId"`;

export async function listCaseGroupRows(
  database: Database,
  modes: readonly string[],
): Promise<readonly CaseGroup[]> {
  const { rows } = await database.query<AnyRow>({
    ...{ name: 'case-groups', text: GROUPS, values: [modes] },
  });
  return rows.map(({ minor, ...row }) => ({ ...row, amountMinor: BigInt(minor) }) as unknown as CaseGroup);
}
