// The file with the first credentials for a new user of the sandbox.

export interface SandboxPerson {
  readonly email: string;
  readonly password: string;
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
  /**
   * The live key; null if it is lost or revoked. An operator must then replace it; a restart of the service does not replace
   * it.
   */
  readonly live_key: string | null;
  /** The credentials of an admin of the operator; null if the admin has been disabled. */
  readonly operator: SandboxPerson | null;
  readonly approver: SandboxPerson | null;
  /** The credentials of the owner of the sandbox business. */
  readonly member: SandboxPerson | null;
}

export type StoredSandboxCredentials = Omit<SandboxCredentials, SandboxPersonName> &
  Partial<Pick<SandboxCredentials, SandboxPersonName>>;

export interface SandboxFile {
  /**
   * Returns the content of the file; undefined if the file is missing or unreadable. A file from an older version contains no
   * people.
   */
  read(): Promise<StoredSandboxCredentials | undefined>;
  write(credentials: SandboxCredentials): Promise<void>;
}

export function listSandboxPeople(
  credentials: Partial<Readonly<Record<SandboxPersonName, SandboxPerson | null>>>,
): readonly SandboxPersonName[] {
  return SANDBOX_PEOPLE.filter((name) => (credentials[name] ?? null) !== null);
}
