// Seals stored secrets again with the newest key, so that the operator can drop an older key. The service may run meanwhile: it
// can read secrets of both keys. If it changes a row, its new value is kept.
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { SealedSecret, SealedSecrets } from '../../ports/people/sealed-secrets.ts';

const AT_ONCE = 100;

export interface ResealResult {
  readonly name: string;
  readonly seen: number;
  readonly resealed: number;
}

/** The list must contain every table with sealed secrets, because the operator drops the old key afterwards. */
export async function resealSecrets(deps: {
  readonly box: SecretBox;
  readonly tables: readonly SealedSecrets[];
}): Promise<readonly ResealResult[]> {
  const results: ResealResult[] = [];
  for (const table of deps.tables) results.push(await resealTable(deps.box, table));
  return results;
}

/** Counts the stored secrets that the key file cannot open, because it is another file or an older copy. */
export async function countUnreadableSecrets(deps: {
  readonly box: SecretBox;
  readonly tables: readonly SealedSecrets[];
}): Promise<number> {
  let unreadable = 0;
  for (const table of deps.tables)
    for await (const { sealed, purpose } of streamSecrets(table)) {
      try {
        deps.box.unseal(sealed, purpose);
      } catch {
        unreadable++;
      }
    }
  return unreadable;
}

async function* streamSecrets(table: SealedSecrets): AsyncGenerator<SealedSecret> {
  let last: SealedSecret | undefined;
  do {
    const batch = await table.after(last?.id ?? '', AT_ONCE);
    yield* batch;
    last = batch.at(-1);
  } while (last !== undefined);
}

async function resealTable(box: SecretBox, table: SealedSecrets): Promise<ResealResult> {
  let seen = 0;
  let resealed = 0;
  for await (const secret of streamSecrets(table)) {
    seen++;
    if (!box.isOld(secret.sealed)) continue;
    const anew = box.seal(box.unseal(secret.sealed, secret.purpose), secret.purpose);
    if (await table.replace(secret, anew)) resealed++;
  }
  return { name: table.name, seen, resealed };
}
