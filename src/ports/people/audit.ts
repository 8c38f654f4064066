// The audit log: append-only and chained. What changes something is recorded in the commit of the change itself; this port
// records what changes nothing else: sign-ins, and reads of a business's data by the operator.

export type Actor =
  | { readonly kind: 'person'; readonly id: string }
  /** The command line before anyone has signed in: the user of the operating system. */
  | { readonly kind: 'os_user'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string }
  /** The service's own doing: a halt, a daily head. `id` names the part. */
  | { readonly kind: 'service'; readonly id: string };

export interface AuditEntry {
  readonly actor: Actor;
  readonly atMs: number;
  /** A word with a dot, e.g. `session.opened`. */
  readonly action: string;
  readonly subject: string | null;
  readonly businessId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}
