// Stores invitations in PostgreSQL. An invitation and its mail are one commit. An acceptance is also one commit. It includes
// the role and, for a new person, the person and their password.
import type pg from 'pg';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { Invitation, InvitationStore } from '../../../ports/people/membership.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { cancelMailLinks, queueMail } from '../mail-queue.ts';
import { hasRole, insertInvitation, inviterMayStillInvite, lockOpenInvitation } from './invitation-rows.ts';
import { INVITATION, runOrRefusalCode } from './rows.ts';

const UNIQUE_VIOLATION = '23505';

export function makeInvitationStore(database: Database): InvitationStore {
  const logged = makeRunAudited(database);
  return {
    businessName: async (id) => {
      const { rows } = await database.query<{ name: string }>({
        text: 'select name from businesses where id = $1',
        values: [id],
      });
      return rows[0]?.name;
    },
    invite: (invitation, mail, notices, doing) =>
      runOrRefusalCode<'invited', 'not_allowed' | 'already_member'>((refuse) =>
        logged(doing, 'invitation_made', detailOf(invitation), async (client) => {
          if (!(await inviterMayStillInvite(client, invitation))) refuse('not_allowed');
          if (await hasRole(client, 'email', invitation.email, invitation.businessId))
            refuse('already_member');
          await insertInvitation(client, invitation, mail);
          for (const notice of notices) await queueMail(client, notice);
          return 'invited' as const;
        }),
      ),
    list: async (businessId) => {
      const { rows } = await database.query({
        text: `select ${INVITATION.list()} from invitations where coalesce(business_id, '') = coalesce($1, '')
                 and accepted_at is null and withdrawn_at is null order by email`,
        values: [businessId],
      });
      return rows.map(INVITATION.read);
    },
    withdraw: (id, businessId, doing) =>
      logged(doing, 'invitation_withdrawn', { id, businessId }, async (client) => {
        const { rowCount } = await client.query(
          `update invitations set withdrawn_at = $3 where id = $1 and business_id is not distinct from $2
             and accepted_at is null and withdrawn_at is null`,
          [id, businessId, new Date(doing.atMs)],
        );
        if (rowCount === 0) return false;
        await cancelMailLinks(client, id);
        return true;
      }),
    find: (tokenHash, atMs) =>
      database.transaction(async (client) => {
        const invitation = await lockOpenInvitation(client, tokenHash, atMs);
        if (invitation === undefined) return undefined;
        const { rows } = await client.query<{ name: string | null; known: boolean }>(
          `select (select name from businesses where id = $1) as name,
             exists (select from people where email = $2) as known`,
          [invitation.businessId, invitation.email],
        );
        return { ...invitation, businessName: rows[0]!.name, known: rows[0]!.known };
      }),
    ...makeInvitationAcceptance(database),
  };
}

function makeInvitationAcceptance(database: Database): Pick<InvitationStore, 'acceptAs' | 'acceptAsNew'> {
  const logged = makeRunAudited(database);
  /**
   * Returns the audit log detail of an invitation. If the invitation does not exist, the transaction refuses the request later.
   */
  const logOf = async (tokenHash: string, personId: string) => {
    const { rows } = await database.query({
      text: `select ${INVITATION.list()} from invitations where token_hash = $1`,
      values: [tokenHash],
    });
    return { ...(rows[0] && detailOf(INVITATION.read(rows[0]))), personId };
  };
  return {
    acceptAsNew: async (tokenHash, person, doing) => {
      const detail = await logOf(tokenHash, person.id);
      return runOrRefusalCode<'accepted', 'ended' | 'known_address'>((refuse) =>
        logged(doing, 'invitation_accepted', detail, async (client) => {
          const invitation = await lockOpenInvitation(client, tokenHash, doing.atMs);
          if (invitation === undefined) return refuse('ended');
          const at = new Date(doing.atMs);
          await client
            .query('insert into people (id, email, name, created_at) values ($1, $2, $3, $4)', [
              ...[person.id, invitation.email, person.name, at],
            ])
            .catch((error: unknown) => {
              if (sqlState(error) === UNIQUE_VIOLATION) refuse('known_address');
              throw error;
            });
          await client.query('insert into passwords (person_id, stored, changed_at) values ($1, $2, $3)', [
            person.id,
            person.stored,
            at,
          ]);
          await giveRole(client, invitation, person.id, doing);
          return 'accepted' as const;
        }),
      );
    },
    acceptAs: async (tokenHash, personId, doing) => {
      const detail = await logOf(tokenHash, personId);
      return runOrRefusalCode<'accepted', 'ended' | 'other_address' | 'already_member'>((refuse) =>
        logged(doing, 'invitation_accepted', detail, async (client) => {
          const invitation = await lockOpenInvitation(client, tokenHash, doing.atMs);
          if (invitation === undefined) return refuse('ended');
          const person = await client.query<{ email: string }>(
            'select email from people where id = $1 and disabled_at is null for share',
            [personId],
          );
          if (person.rows[0]?.email !== invitation.email) return refuse('other_address');
          if (await hasRole(client, 'id', personId, invitation.businessId)) return refuse('already_member');
          await giveRole(client, invitation, personId, doing);
          return 'accepted' as const;
        }),
      );
    },
  };
}

async function giveRole(
  client: pg.ClientBase,
  invitation: Invitation,
  personId: string,
  { atMs }: AuditStamp,
): Promise<void> {
  const { id, businessId, role } = invitation;
  const at = new Date(atMs);
  await client.query('update invitations set accepted_at = $2, accepted_by = $3 where id = $1', [
    ...[id, at, personId],
  ]);
  await cancelMailLinks(client, id);
  if (businessId === null)
    await client.query('insert into operator_roles (person_id, role) values ($1, $2)', [personId, role]);
  else
    await client.query(
      'insert into memberships (business_id, person_id, role, created_at) values ($1, $2, $3, $4)',
      [businessId, personId, role, at],
    );
}

function detailOf({ id, email, businessId, role, signUpId }: Invitation): object {
  return { id, email, businessId, role, signUpId };
}
