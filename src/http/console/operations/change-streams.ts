// Sends each open page of the operator a stream of hints. A hint names the subjects that changed since the last check, without
// any data. While any page is open, the service reads the change marks once a second for all pages. A stream ends when its
// session or role ends.
import type { FastifyReply } from 'fastify';
import type { MembershipDeps } from '../../../app/membership/membership-deps.ts';
import { listSessions, type SignedInSession } from '../../../app/people/sessions.ts';
import { operatorRoleMay } from '../../../domain/people/roles.ts';
import type {
  ChangeMarks,
  ChangeSubject,
  OperationsStore,
} from '../../../ports/operations/operations-store.ts';

/**
 * The service sends a heartbeat at this interval, because proxies close a connection that is idle for a minute. At the same
 * interval it looks for ended sessions.
 */
const EVERY = { lookMs: 1_000, beatMs: 15_000 } as const;
const MAX_STREAMS = 200;
/** The service disconnects a client that has not received this number of bytes yet. */
const MAX_BEHIND_BYTES = 65_536;

export interface ChangeStreams {
  /** Opens a stream. If too many streams are open, it returns the message of the refusal. */
  open(reply: FastifyReply, signedIn: SignedInSession): string | undefined;
  /** Ends all streams and refuses new ones. */
  drain(): void;
  close(): void;
}

export interface ChangeStreamDeps {
  readonly operations: Pick<OperationsStore, 'marks'>;
  readonly people: MembershipDeps;
  readonly onError: (error: Error) => void;
}

interface OpenPage {
  readonly raw: FastifyReply['raw'];
  readonly signedIn: SignedInSession;
}

const HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'x-content-type-options': 'nosniff',
  // A proxy that buffers the response would delay events.
  'x-accel-buffering': 'no',
};

export function makeChangeStreams(
  deps: ChangeStreamDeps,
  { lookMs, beatMs }: { readonly lookMs: number; readonly beatMs: number } = EVERY,
): ChangeStreams {
  const pages = new Set<OpenPage>();
  const look = makeChangeCheck(deps, pages);
  let draining = false;
  const looking = setInterval(() => void look(), lookMs).unref();
  const beating = setInterval(() => void sendHeartbeats(deps, pages), beatMs).unref();
  return {
    open: (reply, signedIn) => {
      if (draining || pages.size >= MAX_STREAMS) return 'Too many pages are open. Reload the page later.';
      const { raw } = reply;
      const page = { raw, signedIn };
      // Headers that were already set are copied to the stream, for example the cookie with a new session token.
      const headers = reply.getHeaders();
      reply.hijack();
      raw.once('close', () => pages.delete(page));
      raw.on('error', () => undefined); // `close` follows
      reply.server.asStream(raw);
      raw.writeHead(200, { ...headers, ...HEAD, 'request-id': reply.request.id } as Record<string, string>);
      raw.write('retry: 2000\n\n: connected\n\n');
      pages.add(page);
      // The marks are read at once, so that a change before the next interval is also noticed.
      void look();
      return undefined;
    },
    drain: () => {
      draining = true;
      for (const { raw } of pages) raw.end();
    },
    close: () => {
      clearInterval(looking);
      clearInterval(beating);
    },
  };
}

/** Compares the change marks with those of the last check. While no page is open, it reads nothing. */
function makeChangeCheck({ operations, onError }: ChangeStreamDeps, pages: ReadonlySet<OpenPage>) {
  let known: ChangeMarks | undefined;
  let running = false;
  return async (): Promise<void> => {
    if (running) return;
    if (pages.size === 0) {
      known = undefined;
      return;
    }
    running = true;
    try {
      const marks = await operations.marks();
      const before = known;
      known = marks;
      if (before === undefined) return;
      const subjects = (Object.keys(marks) as ChangeSubject[]).filter((each) => marks[each] !== before[each]);
      if (subjects.length > 0)
        sendToPages(pages, `event: changed\ndata: ${JSON.stringify({ subjects })}\n\n`);
    } catch (error) {
      onError(error as Error);
    } finally {
      running = false;
    }
  };
}

function sendToPages(pages: Iterable<OpenPage>, text: string): void {
  for (const { raw } of pages) {
    if (raw.writableLength > MAX_BEHIND_BYTES) raw.destroy();
    else raw.write(text);
  }
}

async function sendHeartbeats(
  { people, onError }: ChangeStreamDeps,
  pages: ReadonlySet<OpenPage>,
): Promise<void> {
  for (const page of [...pages]) {
    try {
      if (await isStillSignedIn(people, page.signedIn)) sendToPages([page], ': heartbeat\n\n');
      else page.raw.end();
    } catch (error) {
      // While the database is unreachable, the state of the session is unknown. The stream then sends nothing and stays open.
      onError(error as Error);
    }
  }
}

async function isStillSignedIn(
  people: MembershipDeps,
  { session, person }: SignedInSession,
): Promise<boolean> {
  const now = await people.people.find(person.id);
  const role = now?.operatorRole ?? null;
  if (now === undefined || now.disabledAtMs !== null || role === null) return false;
  if (!operatorRoleMay(role, 'operations.read')) return false;
  return (await listSessions(people, person.id)).some(({ id }) => id === session.id);
}
