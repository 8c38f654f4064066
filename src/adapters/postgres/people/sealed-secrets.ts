// Which stored secrets are sealed with the key file: while there is one, a missing key file is a lost one and never made anew.
import type { Database } from '../connection/database.ts';

export async function hasSealedSecrets(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ some: boolean }>({
    text: 'select exists (select from totp_secrets) as some',
  });
  return rows[0]!.some;
}
