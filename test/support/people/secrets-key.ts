// A key file for stored secrets, one for each test process: a service on an operator's database needs one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSecretBox } from '../../../src/adapters/secrets/key-file.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-secrets-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const file = path.join(directory, 'secrets-key');
await openSecretBox(file, true);

/** Settings for a service or a command with DATABASE_URL. */
export const SECRETS_KEY = { SECRETS_KEY_FILE: file } as const;
