// Texts that PostgreSQL cannot hold: a NUL, as it may come from outside. Such a change is refused before anything is
// looked at, with the number of the error for a name.
import type { Change } from '../../../src/domain/change.ts';

const IN_TEXT = '22021';
const IN_JSON = '22P05';

/** In the order in which values travel: table by table, texts before what is kept as JSON. */
export function unwritable(change: Change): string | null {
  for (const { after, line } of change.transactions ?? []) {
    const found = unwritableIn([after.stateReason, after.txHash, line?.actor, line?.reason], line?.evidence);
    if (found !== null) return found;
  }
  for (const each of change.newCredits ?? []) {
    const named = [each.payerAccount, each.payerName, each.payerBankName, each.payerBankCode, each.narration];
    const found = unwritableIn(
      [each.source, each.sourceId, each.accountNumber, ...named, each.sessionId],
      each.raw,
    );
    if (found !== null) return found;
  }
  for (const { txHash, address, memo, sender } of change.newDeposits ?? []) {
    if (unwritableIn([txHash, address, memo, sender], null) !== null) return IN_TEXT;
  }
  for (const { source, sourceId, about, raw } of change.newNotices ?? []) {
    const found = unwritableIn([source, sourceId, about], raw);
    if (found !== null) return found;
  }
  for (const { reference, payload, evidence } of change.attempts ?? []) {
    const found = unwritableIn([reference, payload], evidence);
    if (found !== null) return found;
  }
  const { quarantine } = change;
  return quarantine === undefined ? null : unwritableIn([quarantine.reason, quarantine.raw], null);
}

function unwritableIn(texts: readonly (string | null | undefined)[], json: unknown): string | null {
  for (const text of texts) if (text?.includes('\0')) return IN_TEXT;
  return hasNul(json) ? IN_JSON : null;
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (value === null || typeof value !== 'object') return false;
  for (const [name, field] of Object.entries(value)) if (name.includes('\0') || hasNul(field)) return true;
  return false;
}
