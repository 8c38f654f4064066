// Password hashes with argon2id. Each hash contains its parameters, so that they can be raised later. Only a few hashes are
// computed at the same time, because each needs 19 MB. A flood of guesses must not use up the memory of the service.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Passwords, TooManyPasswordChecks } from '../../ports/people/credentials.ts';

export type PasswordCost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>;

const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const AT_ONCE = 4;
const MAX_WAITING = 64;
const FORM =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** `cost` applies to new passwords. Stored passwords keep the cost with which they were hashed. */
export function makePasswords(cost = COST): Passwords {
  const inTurn = limitAtOnce(AT_ONCE, MAX_WAITING);
  const form = async (password: string) => {
    const nonce = randomBytes(SALT_BYTES);
    const tag = await deriveTag(password, { ...cost, nonce });
    const { memory: m, passes: t, parallelism: p } = cost;
    return `$argon2id$v=19$m=${m},t=${t},p=${p}$${base64Unpadded(nonce)}$${base64Unpadded(tag)}`;
  };
  // A hash that is checked when a person has no stored password, so that the response time does not show whether a person
  // exists. It is created at the first check of any person, and not at the start, because most processes check no passwords.
  let absent: Promise<string> | undefined;
  // This hash does not wait in the queue. Every later check needs it, so a flood of requests must not delay it.
  const makeAbsent = () =>
    form(randomBytes(32).toString('base64')).catch((error) => {
      absent = undefined;
      throw error;
    });
  return {
    hash: (password) => inTurn(() => form(password)),
    verify: async (password, stored) => {
      absent ??= makeAbsent();
      const standIn = await absent;
      const match = FORM.exec(stored ?? standIn);
      if (match === null) throw new Error('a stored password has an unknown form');
      const [, memory, passes, parallelism, salt, tag] = match;
      const derived = await inTurn(() =>
        deriveTag(password, {
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
          nonce: Buffer.from(salt!, 'base64'),
        }),
      );
      return timingSafeEqual(derived, Buffer.from(tag!, 'base64')) && stored !== null;
    },
  };
}

function deriveTag(password: string, cost: Omit<Argon2Parameters, 'message' | 'tagLength'>): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'));
  return new Promise((resolve, reject) => {
    argon2('argon2id', { ...cost, message, tagLength: TAG_BYTES }, (error, tag) =>
      error === null ? resolve(tag) : reject(error),
    );
  });
}

/** Runs at most `atOnce` tasks at a time, in order of arrival. Refuses a task if more than `maxWaiting` are waiting. */
function limitAtOnce(atOnce: number, maxWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new TooManyPasswordChecks();
      // A finished task wakes this one, and this task takes its slot.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

function base64Unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
