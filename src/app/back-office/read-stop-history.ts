// Reads the history of stops and resumes from the audit log, newest first: what happened, who did it, when and why.
import type { ChainedEntry } from '../../domain/audit/audit-chain.ts';
import type { AuditReads } from '../../ports/audit.ts';
import type { ProposalStore } from '../../ports/review-store.ts';

export interface StopHistoryDeps {
  readonly audit: Pick<AuditReads, 'newestOf'>;
  readonly proposalDesk: Pick<ProposalStore, 'namesOf'>;
}

export const STOP_ACTIONS = [
  'movements_paused',
  'movements_resumed',
  'sends_halted',
  'business.frozen',
  'freeze_lifted',
] as const;
export type StopAction = (typeof STOP_ACTIONS)[number];

export interface StopEvent {
  readonly no: number;
  readonly action: StopAction;
  readonly at: string;
  readonly actor: string;
  /** Null if the actor is not a person, or if the database does not know this person. */
  readonly name: string | null;
  readonly reason: string | null;
  readonly mode: string | null;
  readonly asset: string | null;
  readonly businessId: string | null;
}

export interface StopPage {
  readonly events: readonly StopEvent[];
  /** Null if there are no more entries. */
  readonly nextNo: number | null;
}

export async function readStopHistory(
  deps: StopHistoryDeps,
  beforeNo: number | null,
  limit: number,
): Promise<StopPage> {
  const found = await deps.audit.newestOf(STOP_ACTIONS, beforeNo, limit + 1);
  const page = found.slice(0, limit);
  const names = await deps.proposalDesk.namesOf([...new Set(page.map(({ actor }) => actor))]);
  return {
    events: page.map((entry) => toStopEvent(entry, names)),
    nextNo: found.length > limit ? page.at(-1)!.no : null,
  };
}

function toStopEvent(entry: ChainedEntry, names: ReadonlyMap<string, string>): StopEvent {
  const { no, action, at, actor, businessId } = entry;
  const detail = JSON.parse(entry.detail) as Readonly<Record<string, unknown>>;
  const text = (name: string) => {
    const value = detail[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    ...{ no, action: action as StopAction, at, actor, businessId, name: names.get(actor) ?? null },
    ...{ reason: text('reason'), mode: text('mode'), asset: text('asset') },
  };
}
