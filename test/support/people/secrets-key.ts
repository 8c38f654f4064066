// A key file for stored secrets, one for each test process. A service on an operator's database needs such a file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSecretBox } from '../../../src/adapters/secrets/key-file.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-secrets-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const file = path.join(directory, 'secrets-key');
await openSecretBox(file, true);

export const SECRETS_KEY = { SECRETS_KEY_FILE: file } as const;
