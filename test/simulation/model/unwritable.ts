// Finds text that PostgreSQL cannot store, because it contains a NUL, which may come from outside. PostgreSQL refuses such a
// change before any other check, and the error code is used as the name of the rule.
import type { Change } from '../../../src/domain/records/change.ts';

const IN_TEXT = '22021';
const IN_JSON = '22P05';

type Text = string | null | undefined;

/** Checks values in the order in which the adapter sends them: by table and by column, JSON values last. */
export function unwritable(change: Change): string | null {
  const { transactions, newCredits, newDeposits, newNotices, attempts, quarantine } = change;
  return (
    (transactions &&
      unwritableIn(
        transactions,
        ({ after, line }) => [after.stateReason, after.txHash, line?.actor, line?.reason],
        ({ line }) => line?.evidence,
      )) ??
    (newCredits &&
      unwritableIn(
        newCredits,
        (each) => [
          ...[each.source, each.sourceId, each.accountNumber, each.payerAccount, each.payerName],
          ...[each.payerBankName, each.payerBankCode, each.narration, each.sessionId],
        ],
        ({ raw }) => raw,
      )) ??
    (newDeposits &&
      unwritableIn(newDeposits, (each) => [each.txHash, each.address, each.memo, each.sender])) ??
    (newNotices &&
      unwritableIn(
        newNotices,
        ({ source, sourceId, about }) => [source, sourceId, about],
        ({ raw }) => raw,
      )) ??
    (attempts &&
      unwritableIn(
        attempts,
        ({ reference, payload }) => [reference, payload],
        ({ evidence }) => evidence,
      )) ??
    (quarantine && unwritableIn([quarantine], ({ reason, raw }) => [reason, raw])) ??
    null
  );
}

function unwritableIn<Row>(
  rows: readonly Row[],
  textsOf: (row: Row) => readonly Text[],
  jsonOf?: (row: Row) => unknown,
): string | null {
  for (const row of rows) for (const text of textsOf(row)) if (text?.includes('\0')) return IN_TEXT;
  if (jsonOf !== undefined) for (const row of rows) if (hasNul(jsonOf(row))) return IN_JSON;
  return null;
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (value === null || typeof value !== 'object') return false;
  for (const [name, field] of Object.entries(value)) if (name.includes('\0') || hasNul(field)) return true;
  return false;
}
