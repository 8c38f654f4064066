// What happens when a session opens or ends: what the page knew of the person before is forgotten.
import { useRouter } from '@tanstack/react-router';
import { forgetCsrfToken } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { queryClient } from '../../api/query.ts';
import { homeOf, readSession, SESSION_KEY, type Session } from '../../api/session.ts';

/** Only a page of this application: an address from outside must not lead to another site (threat 80). */
export function safeNext(next: string | undefined): string | null {
  if (!next?.startsWith('/app/')) return null;
  const url = new URL(next, window.location.origin);
  if (url.origin !== window.location.origin || !/^\/app\/(?!.*\/\/)/.test(url.pathname)) return null;
  return url.pathname.startsWith('/app/sign-in') ? null : url.pathname + url.search;
}

/** A browser that keeps no secure cookie here would sign in and be signed out again. */
async function keptSession(): Promise<Session> {
  forgetCsrfToken();
  const session = await readSession();
  if (session !== null) return session;
  throw new ApiFailure(401, {
    code: 'no_session_kept',
    message:
      'This browser kept no session. Open the page over HTTPS, or at localhost with Chrome or Firefox, and allow cookies for it.',
  });
}

function forgetPerson(session: Session | null): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== SESSION_KEY[1] });
  queryClient.setQueryData(SESSION_KEY, session);
}

/** After the second factor: to the page that was asked for, or to the person's first page. */
export function useOpened(): (to?: string | ((session: Session) => string) | null) => Promise<void> {
  const { history } = useRouter();
  return async (to = null) => {
    const session = await keptSession();
    forgetPerson(session);
    history.replace(typeof to === 'function' ? to(session) : (to ?? homeOf(session)));
  };
}

/** After a session ended. */
export function useEnded(): (to?: string) => void {
  const { history } = useRouter();
  return (to = '/app/sign-in') => {
    forgetCsrfToken();
    forgetPerson(null);
    history.push(to);
  };
}
