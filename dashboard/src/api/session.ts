// The signed-in person. Without a session, pages redirect to the sign-in page, which returns to them afterwards.
import { useQuery } from '@tanstack/react-query';
import { get } from './calls.ts';
import type { GetSessionAnswer, Membership, Person } from './console-types.ts';
import { ApiFailure } from './failure.ts';

export type Session = GetSessionAnswer;
export type BusinessRole = Membership['role'];
export type OperatorRole = NonNullable<Person['operator_role']>;

export const SESSION_KEY = ['console', '/session'] as const;

/** Null: not signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return await get('/session', {});
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null;
    throw error;
  }
}

export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
}

/** Only for pages behind the sign-in, where a session exists. */
export function useSignedIn(): Session {
  const { data } = useSession();
  if (data === undefined || data === null) throw new Error('This page needs a session.');
  return data;
}

/** The path of a person's first page. */
export function homePathOf({ person, memberships }: Session): string {
  if (person.operator_role !== null) return '/app/operator/live';
  const [first] = memberships;
  return first === undefined ? '/app/account' : `/app/b/${first.business_id}/test`;
}
