// Reads the audit log, and verifies it part by part.
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { AuditHead, ListAuditQuery, VerifyAuditAnswer } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useList, useRead } from '../../../api/reads.ts';

export const FILTERS = [
  ...(['actor', 'action', 'subject', 'business_id', 'since', 'until'] as const),
] satisfies readonly (keyof ListAuditQuery)[];
export type Filter = (typeof FILTERS)[number];

export function useEntries(filters: Readonly<Record<string, string>>) {
  const given = FILTERS.flatMap((name) => (filters[name] ? [[name, inLagos(name, filters[name])]] : []));
  return useList('/operator/audit', 'entries', { query: Object.fromEntries(given) });
}

function inLagos(name: Filter, value: string): string {
  const isDay = (name === 'since' || name === 'until') && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay ? `${value}T00:00:00+01:00` : value;
}

export const useAuditState = () => useRead('/operator/audit/state');

export interface Verification {
  readonly verified: number;
  readonly of: number;
  readonly problem: string | null;
  readonly done: boolean;
}

export function useVerification() {
  const [progress, setProgress] = useState<Verification | null>(null);
  const run = useAction(
    async () => {
      let after: AuditHead | undefined;
      for (;;) {
        const slice: VerifyAuditAnswer = await post('/operator/audit/verify', { body: { after } });
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
