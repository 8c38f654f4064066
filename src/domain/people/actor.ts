// The actor of a record as text: the id of a person or key, `os:NAME`, or `service:PART`. `os:NAME` is the operating-system
// user of a command line without sign-in. `service:PART` is a part of the service itself.

export type ActorKind = 'person' | 'os_user' | 'key' | 'service';

const OS = 'os:';
const SERVICE = 'service:';

/** Only letters, digits and a few marks are kept. A user name can contain anything, and it must not forge a log line. */
export function osActor(user: string): string {
  return OS + user.replaceAll(/[^A-Za-z0-9._@+-]/g, '_').slice(0, 64);
}

export function serviceActor(part: string): string {
  return SERVICE + part;
}

export function isPerson(actor: string): boolean {
  return actor.startsWith('per_');
}

/** The kind of an actor. Undefined: an early version, which did not record people, wrote the record. */
export function actorKind(actor: string): ActorKind | undefined {
  if (isPerson(actor)) return 'person';
  if (actor.startsWith('key_')) return 'key';
  if (actor.startsWith(OS)) return 'os_user';
  return actor.startsWith(SERVICE) ? 'service' : undefined;
}
