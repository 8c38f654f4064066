// The confirmations of unverified column profiles: people compared the totals of the first file of an account.
import type { SettingRequest } from '../../../domain/back-office/setting.ts';
import type { AuditStamp } from '../../../ports/back-office.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';

type Confirmation = Extract<SettingRequest, { readonly setting: 'statement_profile_confirmed' }>;

/** False if the file waits for no confirmation. */
export function confirmProfile(
  database: Database,
  { setting: _, ...request }: Confirmation,
  doing: AuditStamp,
): Promise<boolean> {
  const { mode, account, profile, fileId } = request;
  const detail = { ...request, subjectId: fileId };
  return makeRunAudited(database)(doing, 'statement_profile.confirmed', detail, async (client) => {
    const { rowCount } = await client.query(
      `insert into statement_profiles_confirmed (mode, account, profile, file_id, at)
        select mode, account, profile, id, $5 from statement_files
        where id = $4 and mode = $1 and account = $2 and profile = $3 and awaits_confirmation
        on conflict do nothing`,
      [mode, account, profile, fileId, new Date(doing.atMs)],
    );
    return (rowCount ?? 0) > 0;
  });
}

/** The facts that the first person saw, and whether the profile was confirmed since. */
export function confirmationBeforeQuery({ fileId }: Confirmation): [string, unknown[]] {
  return [
    `select json_build_array(f.rows_read, f.in_minor, f.out_minor, f.digest, c.at)::text as before
      from statement_files f left join statement_profiles_confirmed c
        on c.mode = f.mode and c.account = f.account and c.profile = f.profile
      where f.id = $1 for update of f`,
    [fileId],
  ];
}
