// Renders people, their sessions and invitations, and the members of businesses.
import { Type } from 'typebox';
import { BUSINESS_ROLES, OPERATOR_ROLES } from '../domain/people/roles.ts';
import type { StoredMail } from '../ports/mail.ts';
import type { Invitation } from '../ports/people/membership.ts';
import type { Member, PersonWithRoles } from '../ports/people/people.ts';
import type { Session } from '../ports/people/sessions.ts';
import * as schemas from './parts/schemas.ts';
import {
  businessRole,
  type JsonOf,
  nameSchema,
  nullable,
  oneOf,
  operatorRole,
  time,
} from './parts/schemas.ts';
import { isoOrNull, isoTime } from './parts/values.ts';

export const personShape = nameSchema(
  'Person',
  Type.Object({
    person_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    operator_role: nullable(operatorRole),
    disabled: Type.Boolean(),
    created_at: time,
  }),
);

export function renderPerson({
  id,
  email,
  name,
  operatorRole,
  disabledAtMs,
  createdAtMs,
}: PersonWithRoles): JsonOf<typeof personShape> {
  return {
    person_id: id,
    email,
    name,
    operator_role: operatorRole,
    disabled: disabledAtMs !== null,
    created_at: isoTime(createdAtMs),
  };
}

export const sessionShape = nameSchema(
  'OpenSession',
  Type.Object({
    session_id: Type.String(),
    current: Type.Boolean({ description: 'Whether this request uses this session.' }),
    surface: oneOf(['browser', 'command_line']),
    address: Type.String(),
    user_agent: Type.String(),
    created_at: time,
    seen_at: time,
    expires_at: time,
  }),
);

export function renderSession(session: Session, currentId: string): JsonOf<typeof sessionShape> {
  return {
    session_id: session.id,
    current: session.id === currentId,
    surface: session.surface,
    address: session.address,
    user_agent: session.userAgent,
    created_at: isoTime(session.createdAtMs),
    seen_at: isoTime(session.seenAtMs),
    expires_at: isoTime(session.expiresAtMs),
  };
}

export const invitationShape = nameSchema(
  'Invitation',
  Type.Object({
    invitation_id: Type.String(),
    email: Type.String(),
    business_id: nullable(Type.String()),
    role: oneOf([...BUSINESS_ROLES, ...OPERATOR_ROLES]),
    invited_by: Type.String(),
    created_at: time,
    expires_at: time,
  }),
);

export function renderInvitation(invitation: Invitation): JsonOf<typeof invitationShape> {
  return {
    invitation_id: invitation.id,
    email: invitation.email,
    business_id: invitation.businessId,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: isoTime(invitation.createdAtMs),
    expires_at: isoTime(invitation.expiresAtMs),
  };
}

export const memberShape = nameSchema(
  'Member',
  Type.Object({
    person_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: businessRole,
    disabled: Type.Boolean(),
    since: time,
  }),
);

export function renderMember({ person, role, createdAtMs }: Member): JsonOf<typeof memberShape> {
  const { id, email, name, disabledAtMs } = person;
  return { person_id: id, email, name, role, disabled: disabledAtMs !== null, since: isoTime(createdAtMs) };
}

export const mailShape = schemas.nameSchema(
  'Mail',
  Type.Object({
    ...{ id: Type.String(), recipient: Type.String(), subject: Type.String() },
    state: schemas.oneOf(['queued', 'sent', 'kept', 'problem', 'cancelled']),
    body: schemas.nullable(Type.String({ description: 'Null once the mail is sent or its link has ended.' })),
    problem: schemas.nullable(Type.String()),
    ...{ created_at: schemas.time, sent_at: schemas.nullable(schemas.time) },
  }),
);

export function renderMail(given: StoredMail): schemas.JsonOf<typeof mailShape> {
  const { id, recipient, subject, state, body, problem, createdAtMs, sentAtMs } = given;
  return {
    ...{ id, recipient, subject, state, body, problem },
    ...{ created_at: isoTime(createdAtMs), sent_at: isoOrNull(sentAtMs) },
  };
}
