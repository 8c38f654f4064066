// Statement files as the service answers them, and the upload of one.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendFile } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';

export interface StatementFile {
  readonly file_id: string;
  readonly account: string;
  readonly name: string;
  readonly format: string;
  readonly profile: string;
  readonly imported_by: string;
  readonly started_at: string;
  readonly state: string;
  readonly rows_read: number;
  readonly rows_new: number;
  readonly rows_known: number;
  readonly from_day: string | null;
  readonly to_day: string | null;
  readonly problem_count: number;
}

export interface StatementDay {
  readonly day: string;
  readonly account: string;
  readonly rows: number;
  readonly complete: boolean;
  readonly state: string;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly why: string | null;
}

export interface RowProblem {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export interface Doubt {
  readonly account: string;
  readonly day: string;
  readonly amount: string;
  readonly narration: string;
  readonly file_id: string;
  readonly line: number;
  readonly why: string;
}

interface Statements {
  readonly files: readonly StatementFile[];
  readonly open_days: readonly StatementDay[];
  readonly doubts: readonly Doubt[];
  readonly profiles: readonly { readonly name: string; readonly title: string }[];
  readonly payout_accounts: readonly string[];
}

export interface Imported {
  readonly file: StatementFile;
  readonly same: boolean;
  readonly pending: number;
  readonly days: number;
  readonly gaps: number;
  readonly incomplete_days: readonly string[];
  readonly problems: readonly RowProblem[];
}

const STATEMENTS = '/operator/statements';

export function useStatements(mode: string) {
  return useRead<Statements>(`${STATEMENTS}/${mode}`);
}

export function useStatement(mode: string, fileId: string) {
  return useRead<{
    readonly file: StatementFile;
    readonly problems: readonly RowProblem[];
    readonly days: readonly StatementDay[];
  }>(`${STATEMENTS}/${mode}/${encodeURIComponent(fileId)}`);
}

/** Of which account the file is: a vendor's, or one that payouts are made from. */
export type OfAccount = { readonly vendor_id: string } | { readonly account: string };

export interface Upload {
  readonly of: OfAccount;
  readonly profile: string | null;
  readonly profileChange: boolean;
  readonly file: File;
}

/** How far the upload is: the share that was sent, then the service reads the file. */
export type UploadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly percent: number }
  | { readonly kind: 'reading' }
  | { readonly kind: 'done'; readonly imported: Imported }
  | { readonly kind: 'failed'; readonly error: unknown };

export function useUpload(mode: string) {
  const [state, setState] = useState<UploadState>({ kind: 'idle' });
  const queries = useQueryClient();
  /** Whether it was imported. */
  const send = async ({ of, profile, profileChange, file }: Upload): Promise<boolean> => {
    setState({ kind: 'sending', percent: 0 });
    const query = new URLSearchParams({ ...of, name: file.name });
    if (profile !== null) query.set('profile', profile);
    if (profileChange) query.set('profile_change', 'yes');
    try {
      const imported = await sendFile<Imported>(`${STATEMENTS}/${mode}?${query}`, file, (bytes) => {
        const percent = file.size === 0 ? 100 : Math.floor((100 * bytes) / file.size);
        setState(percent >= 100 ? { kind: 'reading' } : { kind: 'sending', percent });
      });
      setState({ kind: 'done', imported });
      await queries.invalidateQueries();
      return true;
    } catch (error) {
      setState({ kind: 'failed', error });
      return false;
    }
  };
  return { state, send };
}
