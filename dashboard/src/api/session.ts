// The signed-in person. Without a session, a page redirects to the sign-in page, which returns to the page afterwards.
import { useQuery } from '@tanstack/react-query';
import { get } from './calls.ts';
import type { GetSessionAnswer, Membership, Person } from './console-types.ts';
import { ApiFailure } from './failure.ts';

export type Session = GetSessionAnswer;
export type BusinessRole = Membership['role'];
export type OperatorRole = NonNullable<Person['operator_role']>;

export const SESSION_KEY = ['console', '/session'] as const;

/** Null means that the person is not signed in. */
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

/** Only pages behind the sign-in may use this, because they always have a session. */
export function useSignedIn(): Session {
  const { data } = useSession();
  if (data === undefined || data === null) throw new Error('This page needs a session.');
  return data;
}

export function homePathOf({ person, memberships }: Session): string {
  if (person.operator_role !== null) return '/app/operator/live';
  const [first] = memberships;
  return first === undefined ? '/app/account' : `/app/b/${first.business_id}/test`;
}
