// Stores the mail queue in PostgreSQL. A lease counts the try before the mail is sent. Only the holder of the newest lease can
// record the outcome.
import type pg from 'pg';
import type { LeasedMail, MailQueue, NewMail, StoredMail } from '../../ports/mail.ts';
import type { Database } from './connection/database.ts';
import { all, defineColumns, plainColumn, timeColumn } from './connection/record-columns.ts';

const MAIL = defineColumns<StoredMail>({
  ...all(plainColumn, 'id', 'recipient', 'subject', 'body', 'state', 'tries', 'problem'),
  ...all(timeColumn, 'createdAtMs', 'sentAtMs'),
});

const LEASE = `
  update mails set due_at = $2, tries = tries + 1
  where id in (
    select id from mails where state = 'queued' and due_at <= $1
    order by due_at limit $3 for update skip locked)
  returning ${MAIL.list()}`;
const LATE = 'it was not sent before its link expired';

export function makeMailQueue(database: Database): MailQueue {
  const change = async (text: string, values: unknown[]) =>
    (await database.query({ text, values })).rowCount ?? 0;
  return {
    lease: async (atMs, untilMs, limit) => {
      const { rows } = await database.query({
        text: LEASE,
        values: [new Date(atMs), new Date(untilMs), limit],
      });
      return rows.map((row) => ({ ...MAIL.read(row), body: row.body as string })).sort(byId);
    },
    markSent: async ({ id, tries }, atMs) =>
      1 ===
      (await change(
        `update mails set state = 'sent', sent_at = $3, due_at = null, body = null, problem = null
         where id = $1 and tries = $2 and state = 'queued'`,
        [id, tries, new Date(atMs)],
      )),
    markFailed: async ({ id, tries }, problem, againAtMs) =>
      1 ===
      (await change(
        `update mails set problem = $3, due_at = $4,
           state = case when $4::timestamptz is null then 'problem' else 'queued' end,
           body = case when $4::timestamptz is null then null else body end
         where id = $1 and tries = $2 and state = 'queued'`,
        [id, tries, problem, againAtMs === null ? null : new Date(againAtMs)],
      )),
    keep: (atMs) =>
      change(`update mails set state = 'kept', due_at = null where state = 'queued' and due_at <= $1`, [
        new Date(atMs),
      ]),
    blankEnded: (atMs) =>
      change(
        `update mails set body = null, due_at = null,
           state = case when state = 'queued' then 'problem' else state end,
           problem = case when state = 'queued' then concat_ws('; ', problem, $2::text) else problem end
         where body is not null and link_ends_at <= $1`,
        [new Date(atMs), LATE],
      ),
    list: async (limit) => {
      const { rows } = await database.query({
        text: `select ${MAIL.list()} from mails order by id desc limit $1`,
        values: [limit],
      });
      return rows.map(MAIL.read);
    },
  };
}

/** Queues a mail in the same database transaction as the change that causes the mail. */
export async function queueMail(client: pg.ClientBase, mail: NewMail): Promise<void> {
  const { id, about, recipient, subject, body, createdAtMs, linkEndsAtMs } = mail;
  await client.query(
    `insert into mails (id, about, recipient, subject, body, state, created_at, due_at, link_ends_at)
     values ($1, $2, $3, $4, $5, 'queued', $6, $6, $7)`,
    [
      ...[id, about, recipient, subject, body, new Date(createdAtMs)],
      linkEndsAtMs === null ? null : new Date(linkEndsAtMs),
    ],
  );
}

/** Cancels mails that still wait to be sent, because the link in these mails is no longer valid. */
export async function cancelMailLinks(client: pg.ClientBase, about: string): Promise<void> {
  await client.query(
    `update mails set body = null, due_at = null,
       state = case when state = 'queued' then 'cancelled' else state end
     where about = $1 and body is not null and link_ends_at is not null`,
    [about],
  );
}

const byId = (a: LeasedMail, b: LeasedMail) => (a.id < b.id ? -1 : 1);
