// The file that hands a newcomer their first credentials.

export interface SandboxPerson {
  readonly email: string;
  readonly password: string;
  /** The secret in base 32, as authenticator applications take it. */
  readonly totp_secret: string;
}

export const SANDBOX_PEOPLE = ['operator', 'approver', 'member'] as const;
export type SandboxPersonName = (typeof SANDBOX_PEOPLE)[number];

export interface SandboxCredentials {
  readonly base_url: string;
  readonly otc_base_url: string;
  readonly business_id: string;
  readonly link_tag: string;
  readonly test_key: string;
  /** The live key; null: it is lost or revoked. A start does not replace it; an operator does. */
  readonly live_key: string | null;
  /** An admin of the operator; null when disabled since. */
  readonly operator: SandboxPerson | null;
  readonly approver: SandboxPerson | null;
  /** The owner of the sandbox business. */
  readonly member: SandboxPerson | null;
}

export type StoredSandboxCredentials = Omit<SandboxCredentials, SandboxPersonName> &
  Partial<Pick<SandboxCredentials, SandboxPersonName>>;

export interface SandboxFile {
  /** What it holds, or undefined when it is missing or cannot be understood. One of an older version has no people. */
  read(): Promise<StoredSandboxCredentials | undefined>;
  write(credentials: SandboxCredentials): Promise<void>;
}

/** The people whose credentials the file has. */
export function listSandboxPeople(
  credentials: Partial<Readonly<Record<SandboxPersonName, SandboxPerson | null>>>,
): readonly SandboxPersonName[] {
  return SANDBOX_PEOPLE.filter((name) => (credentials[name] ?? null) !== null);
}
