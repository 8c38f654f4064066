// The audit log as the service answers it, and its verification, slice by slice.
import { useState } from 'react';
import { post } from '../../../api/client.ts';
import { useAction, useList, useRead } from '../../../api/query.ts';

export interface AuditEntry {
  readonly no: number;
  readonly at: string;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly business_id: string | null;
  readonly detail: unknown;
  readonly hash: string;
}

interface Head {
  readonly no: number;
  readonly hash: string;
}

interface AuditState {
  readonly head: Head;
  readonly verified_from: number;
  readonly problem: string | null;
}

export const FILTERS = ['actor', 'action', 'subject', 'business_id', 'since', 'until'] as const;
export type Filter = (typeof FILTERS)[number];

export function useEntries(filters: Readonly<Record<string, string>>) {
  const given = FILTERS.flatMap((name) => (filters[name] ? [[name, inLagos(name, filters[name])]] : []));
  const query = new URLSearchParams(given).toString();
  return useList<AuditEntry>(`/operator/audit${query === '' ? '' : `?${query}`}`, 'entries');
}

/** A day is one of Lagos, which is an hour ahead of UTC all year. */
function inLagos(name: Filter, value: string): string {
  const isDay = (name === 'since' || name === 'until') && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay ? `${value}T00:00:00+01:00` : value;
}

export const useAuditState = () => useRead<AuditState>('/operator/audit/state');

interface Slice {
  readonly verified_to: Head;
  readonly head: Head;
  readonly done: boolean;
  readonly problem: string | null;
}

export interface Verification {
  /** Entries that were verified so far, and all there are. */
  readonly verified: number;
  readonly of: number;
  readonly problem: string | null;
  readonly done: boolean;
}

/** From the first entry to the last, one bounded slice after the other. */
export function useVerification() {
  const [progress, setProgress] = useState<Verification | null>(null);
  const run = useAction(
    async () => {
      let after: Head | undefined;
      for (;;) {
        const slice: Slice = await post('/operator/audit/verify', { after });
        const { verified_to: to, head, done, problem } = slice;
        setProgress({ verified: to.no, of: head.no, problem, done });
        if (done) return;
        after = to;
      }
    },
    { quiet: true },
  );
  return { progress, run: () => run.mutate(), running: run.isPending, error: run.error };
}
