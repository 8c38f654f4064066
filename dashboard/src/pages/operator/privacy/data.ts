// The requests for erasure that still wait, the plan of an erasure, and the export of one customer's data.
import { post } from '../../../api/calls.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../layout/location.ts';

export interface Person {
  readonly account: string;
  readonly bank: string;
  readonly name: string;
}

export const REQUESTS = '/operator/privacy/requests';
export const useRequests = (mode: Mode) => useRead(REQUESTS, { query: { mode } });

/** The fields that the person filled in. */
export function bodyOf(mode: Mode, { account, bank, name }: Person) {
  return {
    ...{ mode, account_number: account.trim() },
    ...(bank.trim() !== '' && { bank: bank.trim() }),
    ...(name.trim() !== '' && { name: name.trim() }),
  };
}

/** A plan changes nothing; it is a request with a body, so that no account number is in a URL. */
export function usePlan(mode: Mode) {
  return useAction((person: Person) => post('/operator/privacy/plan', { body: bodyOf(mode, person) }), {
    quiet: true,
  });
}

/** Saves the export as a file in the browser. */
export async function exportPerson(mode: Mode, person: Person): Promise<void> {
  const { document: found } = await post('/operator/privacy/export', { body: bodyOf(mode, person) });
  const url = URL.createObjectURL(new Blob([JSON.stringify(found, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `person-${mode}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
