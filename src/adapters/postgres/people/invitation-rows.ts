// Reads and writes invitations inside a database transaction. The rows with the inviter's rights are locked while they are
// checked. So a concurrent removal of these rights happens before or after an acceptance, never during it.
import type pg from 'pg';
import {
  type BusinessRole,
  type InviterRoles,
  mayInvite,
  type OperatorRole,
} from '../../../domain/people/roles.ts';
import type { NewMail } from '../../../ports/mail.ts';
import type { Invitation, NewInvitation } from '../../../ports/people/membership.ts';
import { cancelMailLinks, queueMail } from '../mail-queue.ts';
import { INVITATION } from './rows.ts';

/** Replaces an open invitation to the same address for the same business or installation. */
export async function insertInvitation(
  client: pg.ClientBase,
  invitation: NewInvitation,
  mail: NewMail,
): Promise<void> {
  const { id, tokenHash, email, businessId, role, signUpId, invitedBy } = invitation;
  const place = `sliproad invitation ${businessId ?? ''} ${email}`;
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [place]);
  const createdAt = new Date(invitation.createdAtMs);
  const replaced = await client.query<{ id: string }>(
    `update invitations set withdrawn_at = $3 where coalesce(business_id, '') = coalesce($1, '') and email = $2
       and accepted_at is null and withdrawn_at is null returning id`,
    [businessId, email, createdAt],
  );
  for (const { id: old } of replaced.rows) await cancelMailLinks(client, old);
  await client.query(
    `insert into invitations
       (id, token_hash, email, business_id, role, sign_up_id, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[id, tokenHash, email, businessId, role, signUpId, invitedBy],
      ...[createdAt, new Date(invitation.expiresAtMs)],
    ],
  );
  await queueMail(client, mail);
}

/**
 * Locks the invitation, so that only one of several concurrent acceptances continues. Returns undefined if there is no open
 * invitation to accept.
 */
export async function lockOpenInvitation(
  client: pg.ClientBase,
  tokenHash: string,
  atMs: number,
): Promise<Invitation | undefined> {
  const { rows } = await client.query(
    `select ${INVITATION.list()} from invitations where token_hash = $1 and accepted_at is null and withdrawn_at is null
       and expires_at > $2 for update`,
    [tokenHash, new Date(atMs)],
  );
  if (rows[0] === undefined) return undefined;
  const invitation = INVITATION.read(rows[0]);
  return (await inviterMayStillInvite(client, invitation)) ? invitation : undefined;
}

export async function inviterMayStillInvite(client: pg.ClientBase, invitation: Invitation): Promise<boolean> {
  const { invitedBy, businessId, signUpId } = invitation;
  const roles = await rolesOf(client, invitedBy, businessId);
  return mayInvite(invitedBy, roles, { businessId, fromSignUp: signUpId !== null });
}

async function rolesOf(
  client: pg.ClientBase,
  personId: string,
  businessId: string | null,
): Promise<InviterRoles | undefined> {
  const person = await client.query<{ disabled: boolean }>(
    'select disabled_at is not null as disabled from people where id = $1 for share',
    [personId],
  );
  if (person.rows[0] === undefined) return undefined;
  const operator = await client.query<{ role: OperatorRole }>(
    'select role from operator_roles where person_id = $1 for share',
    [personId],
  );
  const member = await client.query<{ role: BusinessRole }>(
    'select role from memberships where person_id = $1 and business_id = $2 for share',
    [personId, businessId],
  );
  return {
    disabled: person.rows[0].disabled,
    operatorRole: operator.rows[0]?.role ?? null,
    businessRole: member.rows[0]?.role ?? null,
  };
}

/** Whether the person already has a role in the same business or installation. An invitation never changes an existing role. */
export async function hasRole(
  client: pg.ClientBase,
  by: 'id' | 'email',
  value: string,
  businessId: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    businessId === null
      ? `select from operator_roles o join people p on p.id = o.person_id where p.${by} = $1`
      : `select from memberships m join people p on p.id = m.person_id
         where p.${by} = $1 and m.business_id = $2`,
    businessId === null ? [value] : [value, businessId],
  );
  return rowCount === 1;
}
