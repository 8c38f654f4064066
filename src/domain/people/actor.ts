// The actor of a record as text: a person's id, a key's id, `os:NAME` for the operating-system user of a command line without
// sign-in, or `service:PART` for the service itself.

export type ActorKind = 'person' | 'os_user' | 'key' | 'service';

const OS = 'os:';
const SERVICE = 'service:';

/** Only letters, digits and a few marks are kept: a user name can contain anything, and must not forge a log line. */
export function osActor(user: string): string {
  return OS + user.replaceAll(/[^A-Za-z0-9._@+-]/g, '_').slice(0, 64);
}

export function serviceActor(part: string): string {
  return SERVICE + part;
}

export function isPerson(actor: string): boolean {
  return actor.startsWith('per_');
}

/** The kind of an actor; undefined: the record was written by an early version, which did not record people. */
export function actorKind(actor: string): ActorKind | undefined {
  if (isPerson(actor)) return 'person';
  if (actor.startsWith('key_')) return 'key';
  if (actor.startsWith(OS)) return 'os_user';
  return actor.startsWith(SERVICE) ? 'service' : undefined;
}
