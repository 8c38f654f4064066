// Which stored secrets are sealed with the key file: while there is one, a missing key file is a lost one and never made anew.
import type { Database } from '../connection/database.ts';

export async function hasSealedSecrets(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ some: boolean }>({
    text: `select exists (select from totp_secrets) or exists (select from webhook_secrets)
      or exists (select from travel_rule_records) or exists (select from privacy_progress where erased > 0) as some`,
  });
  return rows[0]!.some;
}
