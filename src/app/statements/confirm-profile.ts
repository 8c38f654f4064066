// Asks people to confirm the totals of a file that was read with an unverified column profile. Afterwards the profile is used for
// the account of the file; the file itself is imported again.
import type { SettingRequest } from '../../domain/back-office/setting.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { StatementStore } from '../../ports/statements.ts';

type ConfirmationRequest = Extract<SettingRequest, { readonly setting: 'statement_profile_confirmed' }>;

export interface ConfirmationRefusal {
  readonly code: 'not_found' | 'not_possible';
  readonly message: string;
}

/** The request for the change; it states the totals as the service read them. */
export async function makeProfileConfirmation(
  { statements }: { readonly statements: Pick<StatementStore, 'findFile'> },
  fileId: string,
): Promise<Result<ConfirmationRequest, ConfirmationRefusal>> {
  const file = await statements.findFile(fileId);
  if (file === null) return fail({ code: 'not_found', message: `There is no statement file ${fileId}.` });
  const { mode, account, profile, totals, rowsRead: rows, fromDay, toDay } = file;
  if (!file.awaitsConfirmation || totals === null)
    return fail({
      code: 'not_possible',
      message: `The file ${fileId} needs no confirmation: its profile ${profile} is verified, or was confirmed for this account.`,
    });
  return ok({
    setting: 'statement_profile_confirmed',
    ...{ mode, account, profile, fileId, rows, fromDay, toDay },
    ...{ moneyIn: formatNaira(totals.inMinor), moneyOut: formatNaira(totals.outMinor) },
  });
}
