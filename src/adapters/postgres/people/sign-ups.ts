// Stores businesses that signed up, in PostgreSQL. An approval creates the business, its owner's invitation and the mail in one
// commit.
import type { SignUp, SignUpStore } from '../../../ports/people/membership.ts';
import { answerIfTaken, makeRunAudited, type RunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { all, defineColumns, plainColumn, timeColumn } from '../connection/record-columns.ts';
import { queueMail } from '../mail-queue.ts';
import { insertInvitation } from './invitation-rows.ts';
import { runOrRefusalCode } from './rows.ts';

const SIGN_UP = defineColumns<SignUp>({
  ...all(plainColumn, 'id', 'businessName', 'linkTag', 'email', 'state', 'decidedBy', 'businessId'),
  ...all(timeColumn, 'createdAtMs', 'decidedAtMs'),
});

export function makeSignUpStore(database: Database): SignUpStore {
  const logged = makeRunAudited(database);
  return {
    add: ({ id, businessName, linkTag, email }, doing) =>
      answerIfTaken(
        runOrRefusalCode<'added', 'link_tag_taken'>((refuse) =>
          logged(doing, 'sign_up_made', { id, businessName, linkTag, email }, async (client) => {
            const taken = await client.query('select from businesses where link_tag = $1', [linkTag]);
            if (taken.rowCount !== 0) refuse('link_tag_taken');
            await client.query(
              `insert into sign_ups (id, business_name, link_tag, email, state, created_at)
               values ($1, $2, $3, $4, 'waiting', $5)`,
              [id, businessName, linkTag, email, new Date(doing.atMs)],
            );
            return 'added' as const;
          }),
        ),
        'link_tag_taken',
      ),
    find: async (id) => {
      const { rows } = await database.query({
        text: `select ${SIGN_UP.list()} from sign_ups where id = $1`,
        values: [id],
      });
      return rows[0] && SIGN_UP.read(rows[0]);
    },
    list: async (state, limit) => {
      const { rows } = await database.query({
        text: `select ${SIGN_UP.list()} from sign_ups where state = $1 order by id desc limit $2`,
        values: [state, limit],
      });
      return rows.map(SIGN_UP.read);
    },
    ...makeSignUpDecisions(logged),
  };
}

function makeSignUpDecisions(logged: RunAudited): Pick<SignUpStore, 'approve' | 'decline'> {
  return {
    approve: (id, { business, invitation, mail }, doing) =>
      answerIfTaken(
        runOrRefusalCode<'approved', 'not_waiting'>((refuse) =>
          logged(
            doing,
            'sign_up_approved',
            { id, businessId: business.id, email: invitation.email, invitationId: invitation.id },
            async (client) => {
              const at = new Date(doing.atMs);
              await client.query(
                'insert into businesses (id, name, link_tag, sandbox, created_at) values ($1, $2, $3, $4, $5)',
                [business.id, business.name, business.linkTag, business.sandbox, at],
              );
              const { rowCount } = await client.query(
                `update sign_ups set state = 'approved', decided_at = $2, decided_by = $3, business_id = $4
               where id = $1 and state = 'waiting'`,
                [id, at, doing.actor, business.id],
              );
              if (rowCount === 0) refuse('not_waiting');
              await insertInvitation(client, invitation, mail);
              return 'approved' as const;
            },
          ),
        ),
        'link_tag_taken',
      ),
    decline: (id, mail, doing) =>
      runOrRefusalCode<'declined', 'not_waiting'>((refuse) =>
        logged(doing, 'sign_up_declined', { id }, async (client) => {
          const { rowCount } = await client.query(
            `update sign_ups set state = 'declined', decided_at = $2, decided_by = $3
             where id = $1 and state = 'waiting'`,
            [id, new Date(doing.atMs), doing.actor],
          );
          if (rowCount === 0) refuse('not_waiting');
          await queueMail(client, mail);
          return 'declined' as const;
        }),
      ),
  };
}
