// People, sessions, keys and records as the console's JSON: snake case, times in ISO 8601, amounts in naira.
import { Type } from 'typebox';
import { BUSINESS_ROLES, OPERATOR_ROLES } from '../../domain/people/roles.ts';
import { NAIRA } from '../../domain/values/assets.ts';
import { minorToWire } from '../../domain/values/money.ts';
import type { StoredKey } from '../../ports/back-office.ts';
import type { Invitation } from '../../ports/people/membership.ts';
import type { Member, PersonWithRoles } from '../../ports/people/people.ts';
import type { Session } from '../../ports/people/sessions.ts';
import {
  businessRole,
  keyScope,
  mode,
  named,
  nullable,
  oneOf,
  operatorRole,
  type Shown,
  time,
} from './schemas.ts';

export const isoTime = (atMs: number): string => new Date(atMs).toISOString();
export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));

export const personShape = named(
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
}: PersonWithRoles): Shown<typeof personShape> {
  return {
    person_id: id,
    email,
    name,
    operator_role: operatorRole,
    disabled: disabledAtMs !== null,
    created_at: isoTime(createdAtMs),
  };
}

export const sessionShape = named(
  'OpenSession',
  Type.Object({
    session_id: Type.String(),
    current: Type.Boolean({ description: 'Whether it is the one of this request.' }),
    surface: oneOf(['browser', 'command_line']),
    address: Type.String(),
    user_agent: Type.String(),
    created_at: time,
    seen_at: time,
    expires_at: time,
  }),
);

export function renderSession(session: Session, currentId: string): Shown<typeof sessionShape> {
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

export const invitationShape = named(
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

export function renderInvitation(invitation: Invitation): Shown<typeof invitationShape> {
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

export const memberShape = named(
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

export function renderMember({ person, role, createdAtMs }: Member): Shown<typeof memberShape> {
  const { id, email, name, disabledAtMs } = person;
  return { person_id: id, email, name, role, disabled: disabledAtMs !== null, since: isoTime(createdAtMs) };
}

export const keyShape = named(
  'Key',
  Type.Object({
    key_id: Type.String(),
    mode,
    name: Type.String({ description: 'What its owner calls it; may be empty.' }),
    scope: keyScope,
    hint: Type.String({ description: 'How the secret key begins and ends.' }),
    created_at: time,
    expires_at: nullable(time),
    revoked_at: nullable(time),
    last_used_at: nullable(time),
  }),
);

export function renderKey({ id, mode, name, scope, hint, ...key }: StoredKey): Shown<typeof keyShape> {
  return {
    key_id: id,
    mode,
    name,
    scope,
    hint,
    created_at: isoTime(key.createdAtMs),
    expires_at: isoOrNull(key.expiresAtMs),
    revoked_at: isoOrNull(key.revokedAtMs),
    last_used_at: isoOrNull(key.lastUsedAtMs),
  };
}

/** How a record is stored and worked on is of no use to a reader. */
const INTERNAL = new Set(['version', 'dueAtMs', 'tries', 'payload']);

/**
 * A record field by field, for operators: `amountMinor` becomes `amount` in naira, `…AtMs` becomes `…_at`. Amounts in the
 * minor units of a token stay digits in a text, because their decimals are the network's.
 */
export function renderRecord(record: object): Readonly<Record<string, unknown>> {
  return renderFields(record, true);
}

function renderValue(value: unknown, isNaira: boolean): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((each) => renderValue(each, isNaira));
  return typeof value === 'object' && value !== null ? renderFields(value, isNaira) : value;
}

function renderFields(record: object, isNaira: boolean): Readonly<Record<string, unknown>> {
  const { asset } = record as { asset?: unknown };
  const inNaira = asset === undefined ? isNaira : asset === NAIRA;
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !INTERNAL.has(name))
      .map(([name, each]) => renderField(name, each, inNaira)),
  );
}

function renderField(name: string, value: unknown, inNaira: boolean): [string, unknown] {
  if (name.endsWith('AtMs') || name === 'atMs')
    return [snake(name.slice(0, -2)), isoOrNull(value as number | null)];
  // The value in kobo is in nairaMinor whatever the asset is.
  if (name.endsWith('Minor') && (inNaira || name === 'nairaMinor'))
    return [snake(name.slice(0, -5)), toNaira(value)];
  return [snake(name), renderValue(value, inNaira)];
}

function toNaira(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toNaira);
  return typeof value === 'bigint' ? minorToWire(value) : value;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
