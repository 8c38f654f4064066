// Writes sandbox.json in DATA_DIR, which only its owner can read. The file is replaced atomically, so that a reader never sees
// a partial file.
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { SANDBOX_PEOPLE, type SandboxFile, type StoredSandboxCredentials } from '../ports/sandbox-file.ts';

const FIELDS = ['base_url', 'otc_base_url', 'business_id', 'link_tag', 'test_key'] as const;
const PERSON_FIELDS = ['email', 'password', 'totp_secret'] as const;

export function makeSandboxFile(location: string): SandboxFile {
  return {
    read: async () => {
      const text = await readFile(location, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return text === undefined ? undefined : parseCredentials(text);
    },
    write: async (credentials) => {
      const temporary = `${location}.${process.pid}.tmp`;
      await writeFile(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
      await chmod(temporary, 0o600); // the mode above is subject to the umask and ignored for an existing file
      await rename(temporary, location);
    },
  };
}

function parseCredentials(text: string): StoredSandboxCredentials | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    if (!FIELDS.every((field) => typeof value[field] === 'string')) return undefined;
    const people = Object.fromEntries(
      SANDBOX_PEOPLE.flatMap((name) => (isPerson(value[name]) ? [[name, value[name]]] : [])),
    );
    const known = Object.fromEntries(FIELDS.map((field) => [field, value[field]]));
    const live_key = typeof value.live_key === 'string' ? value.live_key : null;
    return { ...known, live_key, ...people } as unknown as StoredSandboxCredentials;
  } catch {
    return undefined;
  }
}

function isPerson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return PERSON_FIELDS.every((field) => typeof (value as Record<string, unknown>)[field] === 'string');
}
