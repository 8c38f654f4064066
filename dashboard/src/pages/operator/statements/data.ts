// Reads of statement files, and the upload of one.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendFile } from '../../../api/calls.ts';
import type { ImportQuestion, ImportStatementAnswer } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../layout/location.ts';

export function useStatements(mode: Mode) {
  return useRead('/operator/statements/{mode}', { params: { mode } });
}

export function useStatement(mode: Mode, fileId: string) {
  return useRead('/operator/statements/{mode}/{file_id}', { params: { mode, file_id: fileId } });
}

/** The file that the service is reading for this account; undefined before it has started. */
export function useFileBeingRead(mode: Mode, of: OfAccount | null) {
  const { data } = useRead('/operator/statements/{mode}', { params: { mode }, refetchMs: 1_000 });
  return data?.files.find(
    ({ state, vendor_id: vendor, account }) =>
      state === 'reading' &&
      of !== null &&
      ('vendor_id' in of ? vendor === of.vendor_id : account === of.account),
  );
}

/** The account of the file: a vendor account or a payout account. */
export type OfAccount = { readonly vendor_id: string } | { readonly account: string };

export interface Upload {
  readonly of: OfAccount;
  readonly profile: string | null;
  readonly profileChange: boolean;
  readonly file: File;
  /** For an account without a credit source: the number of incoming rows that the person confirmed. */
  readonly withoutSource: number | null;
}

/** The progress of an upload: first the share that was sent, then the reading by the service. */
export type UploadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly percent: number }
  | { readonly kind: 'reading' }
  /** The account has no credit source, and the person must decide. Nothing was imported. */
  | { readonly kind: 'asking'; readonly question: ImportQuestion }
  | { readonly kind: 'done'; readonly imported: ImportStatementAnswer }
  | { readonly kind: 'failed'; readonly error: unknown };

export function useUpload(mode: Mode) {
  const [state, setState] = useState<UploadState>({ kind: 'idle' });
  const queries = useQueryClient();
  /** Whether it was imported. */
  const send = async ({ of, profile, profileChange, file, withoutSource }: Upload): Promise<boolean> => {
    setState({ kind: 'sending', percent: 0 });
    const query = {
      ...{ ...of, name: file.name },
      ...(profile !== null && { profile }),
      ...(profileChange && { profile_change: 'yes' }),
      ...(withoutSource !== null && { without_source: String(withoutSource) }),
    };
    try {
      const address = { params: { mode }, query };
      const imported = await sendFile('/operator/statements/{mode}', address, file, (bytes) => {
        const percent = file.size === 0 ? 100 : Math.floor((100 * bytes) / file.size);
        setState(percent >= 100 ? { kind: 'reading' } : { kind: 'sending', percent });
      });
      await queries.invalidateQueries();
      if (imported.question !== null) {
        setState({ kind: 'asking', question: imported.question });
        return false;
      }
      setState({ kind: 'done', imported });
      return true;
    } catch (error) {
      setState({ kind: 'failed', error });
      return false;
    }
  };
  return { state, send, reset: () => setState({ kind: 'idle' }) };
}
