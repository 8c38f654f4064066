// Reads of statement files, and the upload of one.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendFile } from '../../../api/calls.ts';
import type { AccountImport } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../layout/location.ts';

export function useStatements(mode: Mode) {
  return useRead('/operator/statements/{mode}', { params: { mode } });
}

export function useStatement(mode: Mode, fileId: string) {
  return useRead('/operator/statements/{mode}/{file_id}', { params: { mode, file_id: fileId } });
}

/** The account of the file: a vendor account, a payout account, or every account that the file names. */
export type OfAccount = { readonly vendor_id: string } | { readonly account: string } | 'every_account';

export interface Upload {
  readonly of: OfAccount;
  readonly profile: string | null;
  readonly profileChange: boolean;
  readonly file: File;
}

/** The progress of an upload: first the share that was sent, then the reading by the service. */
export type UploadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly percent: number }
  | { readonly kind: 'reading' }
  | { readonly kind: 'done'; readonly imported: readonly AccountImport[] }
  | { readonly kind: 'failed'; readonly error: unknown };

export function useUpload(mode: Mode) {
  const [state, setState] = useState<UploadState>({ kind: 'idle' });
  const queries = useQueryClient();
  /** Whether it was imported. */
  const send = async ({ of, profile, profileChange, file }: Upload): Promise<boolean> => {
    setState({ kind: 'sending', percent: 0 });
    const query = {
      name: file.name,
      ...(profile !== null && { profile }),
      ...(profileChange && { profile_change: 'yes' }),
    };
    try {
      const onSent = (bytes: number) => {
        const percent = file.size === 0 ? 100 : Math.floor((100 * bytes) / file.size);
        setState(percent >= 100 ? { kind: 'reading' } : { kind: 'sending', percent });
      };
      const imported = await sendStatement(mode, of, query, file, onSent);
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

async function sendStatement(
  mode: Mode,
  of: OfAccount,
  query: { readonly name: string; readonly profile?: string; readonly profile_change?: string },
  file: File,
  onSent: (bytes: number) => void,
): Promise<readonly AccountImport[]> {
  if (of === 'every_account') {
    const address = { params: { mode }, query };
    return (await sendFile('/operator/statements/{mode}/every-account', address, file, onSent)).accounts;
  }
  const address = { params: { mode }, query: { ...of, ...query } };
  const imported = await sendFile('/operator/statements/{mode}', address, file, onSent);
  return [{ account: imported.file.account, refused: null, imported }];
}
