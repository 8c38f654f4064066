// The file that hands a newcomer their first credentials.

export interface SandboxCredentials {
  readonly base_url: string;
  readonly otc_base_url: string;
  readonly business_id: string;
  readonly link_tag: string;
  readonly test_key: string;
  readonly live_key: string;
}

export interface SandboxFile {
  /** What it holds, or undefined when it is missing or cannot be understood. */
  read(): Promise<SandboxCredentials | undefined>;
  write(credentials: SandboxCredentials): Promise<void>;
}
