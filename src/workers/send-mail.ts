// Sends the queued mails. Before it sends a mail, it leases the mail and counts the attempt. If the outcome is unknown or the
// server refuses temporarily, it tries the mail again with growing delays, a limited number of times.
import type { Clock } from '../ports/clock.ts';
import type { LeasedMail, MailOutcome, MailQueue, MailServer } from '../ports/mail.ts';
import { type Loop, startLoop } from './loop.ts';

export interface SendMailDeps {
  readonly mails: MailQueue;
  /** The server is null if none is configured. */
  readonly server: MailServer | null;
  readonly clock: Clock;
  /** Runs before the worker reads the queue. It creates the mails that people requested. */
  readonly prepare: () => Promise<unknown>;
  readonly onProblem: (mail: {
    readonly id: string;
    readonly tries: number;
    readonly problem: string;
  }) => void;
  readonly onError: (error: Error) => void;
}

const EVERY_MS = 1_000;
/** The lease is longer than the timeout of one mail. */
const LEASE_MS = 3 * 60_000;
const AT_ONCE = 5;
export const MAX_MAIL_TRIES = 8;
const FIRST_PAUSE_MS = 30_000;

/**
 * When the worker stops, it waits this long for mails in progress. A mail that takes longer is sent again when its lease ends,
 * with the same Message-ID.
 */
const STOP_MS = 2_000;

export function startSendingMail(deps: SendMailDeps, everyMs = EVERY_MS): Loop {
  const patience = Promise.withResolvers<'stopped'>();
  const turn = () => sendDueMails(deps, patience.promise);
  const loop = startLoop({ everyMs, turn, onError: deps.onError });
  return {
    stop: () => {
      setTimeout(() => patience.resolve('stopped'), STOP_MS).unref();
      return loop.stop();
    },
  };
}

export async function sendDueMails(deps: SendMailDeps, stopped?: Promise<'stopped'>): Promise<void> {
  const { mails, server, clock } = deps;
  await deps.prepare();
  await mails.blankEnded(clock.now());
  if (server === null) {
    await mails.keep(clock.now());
    return;
  }
  const leased = await mails.lease(clock.now(), clock.now() + LEASE_MS, AT_ONCE);
  await Promise.all(
    leased.map(async (mail) => {
      const sending = server.send(mail);
      const outcome = await (stopped === undefined ? sending : Promise.race([sending, stopped]));
      if (outcome !== 'stopped') await recordOutcome(deps, mail, outcome);
    }),
  );
}

async function recordOutcome(deps: SendMailDeps, mail: LeasedMail, outcome: MailOutcome): Promise<void> {
  const nowMs = deps.clock.now();
  if (outcome.kind === 'sent') {
    await deps.mails.markSent(mail, nowMs);
    return;
  }
  const { problem } = outcome;
  const { id, tries } = mail;
  const over = tries >= MAX_MAIL_TRIES || (outcome.kind === 'refused' && outcome.lasting);
  const againAtMs = over ? null : nowMs + FIRST_PAUSE_MS * 2 ** (tries - 1);
  const settled = await deps.mails.markFailed(mail, problem, againAtMs);
  if (over && settled) deps.onProblem({ id, tries, problem });
}
