// Reads the list of statement files, and uploads a file.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendFile } from '../../../api/calls.ts';
import type { AccountImport, ImportQuestion } from '../../../api/console-types.ts';
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
  return data?.files.find(({ state, vendor_id: vendor, account }) => {
    if (state !== 'reading' || of === null) return false;
    if (of === 'every_account') return true;
    return 'vendor_id' in of ? vendor === of.vendor_id : account === of.account;
  });
}

/** The account of the file: a vendor account, a payout account, or every account that the file names. */
export type OfAccount = { readonly vendor_id: string } | { readonly account: string } | 'every_account';

/** Nothing of the account was imported, because it has no credit source. */
export interface AccountQuestion {
  readonly account: string;
  readonly question: ImportQuestion;
}

export interface Upload {
  readonly of: OfAccount;
  readonly profile: string | null;
  readonly profileChange: boolean;
  readonly file: File;
  /** The accounts without a credit source whose incoming rows the person confirmed; null: none. */
  readonly withoutSource: readonly AccountQuestion[] | null;
}

export type UploadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly percent: number }
  | { readonly kind: 'reading' }
  /** Accounts have no credit source, and the person must decide. Nothing of them was imported. */
  | {
      readonly kind: 'asking';
      readonly questions: readonly AccountQuestion[];
      readonly imported: readonly AccountImport[];
    }
  | { readonly kind: 'done'; readonly imported: readonly AccountImport[] }
  | { readonly kind: 'failed'; readonly error: unknown };

export function useUpload(mode: Mode) {
  const [state, setState] = useState<UploadState>({ kind: 'idle' });
  const queries = useQueryClient();
  const send = async ({ of, profile, profileChange, file, withoutSource }: Upload): Promise<boolean> => {
    setState({ kind: 'sending', percent: 0 });
    const query = {
      name: file.name,
      ...(profile !== null && { profile }),
      ...(profileChange && { profile_change: 'yes' }),
      ...(withoutSource !== null && { without_source: confirmationOf(of, withoutSource) }),
    };
    try {
      const onSent = (bytes: number) => {
        const percent = file.size === 0 ? 100 : Math.floor((100 * bytes) / file.size);
        setState(percent >= 100 ? { kind: 'reading' } : { kind: 'sending', percent });
      };
      const imported = await sendStatement(mode, of, query, file, onSent);
      await queries.invalidateQueries();
      const questions = imported.flatMap(({ account, imported: one }): AccountQuestion[] =>
        one === null || one.question === null ? [] : [{ account, question: one.question }],
      );
      if (questions.length > 0) {
        setState({ kind: 'asking', questions, imported });
        return false;
      }
      setState({ kind: 'done', imported });
      return true;
    } catch (error) {
      setState({ kind: 'failed', error });
      return false;
    }
  };
  /** The person imports no account without a credit source. The result of the other accounts stays. */
  const decline = () =>
    setState((now) =>
      now.kind === 'asking' && now.imported.length > now.questions.length
        ? { kind: 'done', imported: now.imported }
        : { kind: 'idle' },
    );
  return { state, send, decline };
}

/** The number of incoming rows; for a file with several accounts, of each account. */
function confirmationOf(of: OfAccount, questions: readonly AccountQuestion[]): string {
  const counts = questions.map(({ account, question: { incoming_rows: rows } }) =>
    of === 'every_account' ? `${account}=${rows}` : String(rows),
  );
  return counts.join(',');
}

async function sendStatement(
  mode: Mode,
  of: OfAccount,
  query: {
    readonly name: string;
    readonly profile?: string;
    readonly profile_change?: string;
    readonly without_source?: string;
  },
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
