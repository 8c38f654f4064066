// How rows of people and sessions are read.
import type { Person } from '../../../ports/people/people.ts';
import type { StoredPasskey } from '../../../ports/people/second-factors.ts';
import type { Session, Surface } from '../../../ports/people/sessions.ts';

export function personOf(row: Record<string, unknown>): Person {
  return {
    id: row.id as string,
    email: row.email as string,
    name: row.name as string,
    disabledAtMs: (row.disabled_at as Date | null)?.getTime() ?? null,
    createdAtMs: (row.created_at as Date).getTime(),
  };
}

export function sessionOf(row: Record<string, unknown>): Session {
  return {
    id: row.id as string,
    personId: row.person_id as string,
    surface: row.surface as Surface,
    address: row.address as string,
    userAgent: row.user_agent as string,
    createdAtMs: (row.created_at as Date).getTime(),
    seenAtMs: (row.seen_at as Date).getTime(),
    expiresAtMs: (row.expires_at as Date).getTime(),
  };
}

export function passkeyOf(row: Record<string, unknown>): StoredPasskey {
  return {
    credentialId: row.credential_id as string,
    personId: row.person_id as string,
    publicKey: row.public_key as Buffer,
    signCount: Number(row.sign_count),
    transports: row.transports as string[],
    name: row.name as string,
    createdAtMs: (row.created_at as Date).getTime(),
    usedAtMs: (row.used_at as Date | null)?.getTime() ?? null,
  };
}

// A refusal found inside a transaction. What the transaction did is rolled back and nothing is logged; the caller gets the
// code of the refusal as an answer.
class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export async function orRefused<T, Code extends string>(
  work: (refuse: (code: Code) => never) => Promise<T>,
): Promise<T | Code> {
  try {
    return await work((code) => {
      throw new Refused(code);
    });
  } catch (error) {
    if (error instanceof Refused) return error.code as Code;
    throw error;
  }
}
