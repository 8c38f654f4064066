// The state of one provider of a network: its last answer or error, how long it is not used after failures, and whether it has
// reported its chain. Only the host of its URL is shown.
import type { Clock } from '../../../ports/clock.ts';
import type { ProviderState } from '../../../ports/networks/network-watch.ts';
import { WrongChainError } from './errors.ts';
import { redactSecrets, secretsInUrl } from './url-secrets.ts';

// Whether a provider has reported its chain. The provider must do so before its first work, every ten minutes, and after every
// failure, because a different server may answer then. A provider that reported another chain is not used until it reports the
// right one.

/** How long the chain that a provider reported stays valid: a different server may later answer at the same URL. */
const PROVEN_MS = 10 * 60_000;

/** Without `ask` the chain of every provider counts as proven. */
function makeChainProof(clock: Clock, ask: (() => Promise<unknown>) | undefined) {
  let provenAtMs: number | null = null;
  let isElsewhere = false;
  return {
    isElsewhere: () => isElsewhere,
    isProven: () =>
      ask === undefined || (provenAtMs !== null && clock.now() - provenAtMs < PROVEN_MS && !isElsewhere),
    /** Rejects as `ask` does. */
    prove: async (): Promise<void> => {
      await ask?.();
      isElsewhere = false;
      provenAtMs = clock.now();
    },
    /** Records a failure. Returns whether this error shows for the first time that the provider serves another chain. */
    failed: (error: unknown): boolean => {
      const isNew = error instanceof WrongChainError && !isElsewhere;
      isElsewhere ||= isNew;
      provenAtMs = null;
      return isNew;
    },
  };
}

const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 60_000;
/**
 * A provider that has not answered anything for this time gets a simple request. Otherwise it would remain unnoticed that an unused
 * provider is down.
 */
const QUIET_MS = 60_000;

export interface ProviderHealth extends ProviderState {
  readonly restsUntilMs: number | null;
}

/** A piece of work on one provider. A proof includes the provider's name: two answers of the same provider count as one. */
export type ProviderWork<Client, Answer> = (client: Client, provider: string) => Promise<Answer>;

export interface ProviderConnection<Client> {
  restsUntilMs(): number;
  /** Runs a piece of work. A provider that fails is not used for a while. The time grows with each failure in a row. */
  run<Answer>(work: ProviderWork<Client, Answer>): Promise<Answer>;
  /**
   * Sends a simple request if the provider's last request failed or if it was not used for a while. An answer to this request
   * does not make the provider usable earlier.
   */
  look(question: (client: Client) => Promise<unknown>): Promise<void>;
  /** Asks the provider now which chain it serves. Rejects as `prove` does. */
  prove(): Promise<void>;
  health(): ProviderHealth;
}

export interface ProviderConnectionParts<Client> {
  readonly clock: Clock;
  readonly onTrouble: (provider: string, error: Error) => void;
  /**
   *
   * Rejects with `WrongChainError` when the provider serves another chain. Called before the provider's first work, after every
   * failure and every ten minutes. No work runs before it has succeeded.
   *
   */
  readonly prove?: (client: Client) => Promise<unknown>;
}

export function makeProviderConnection<Client>(
  name: string,
  url: string,
  connect: (url: string) => Client,
  { clock, onTrouble, prove }: ProviderConnectionParts<Client>,
): ProviderConnection<Client> {
  const client = connect(url);
  const secrets = secretsInUrl(url);
  const openedAtMs = clock.now();
  let answeredAtMs: number | null = null;
  let problem: string | null = null;
  let inARow = 0;
  let failures = 0;
  let restsUntilMs = 0;
  const chain = makeChainProof(clock, prove && (() => prove(client)));

  const failed = (thrown: unknown): Error => {
    const error = redactSecrets(thrown, secrets);
    problem = reasonOf(error);
    failures++;
    restsUntilMs = clock.now() + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(inARow, 10));
    const namesAnother = chain.failed(thrown);
    // Reports the first of several failures in a row, and the discovery of a wrong chain. Metrics show how long it lasts.
    if (inARow++ === 0 || namesAnother) onTrouble(name, error);
    return error;
  };

  const ask = async <Answer>(work: ProviderWork<Client, Answer>): Promise<Answer> => {
    try {
      const answer = await work(client, name);
      answeredAtMs = clock.now();
      problem = null;
      return answer;
    } catch (thrown) {
      throw failed(thrown);
    }
  };

  const proveNow = shareRunningWork(() => ask(chain.prove));
  const askProven = async <Answer>(work: ProviderWork<Client, Answer>): Promise<Answer> => {
    if (!chain.isProven()) await proveNow();
    const answer = await ask(work);
    // Meanwhile another request found that the provider serves the wrong chain: this answer may be from that chain too.
    if (chain.isElsewhere()) throw failed(new Error('the provider now reports another chain'));
    return answer;
  };

  return {
    restsUntilMs: () => restsUntilMs,
    run: async (work) => {
      const answer = await askProven(work);
      inARow = 0;
      restsUntilMs = 0;
      return answer;
    },
    look: async (question) => {
      const isFresh = answeredAtMs !== null && clock.now() - answeredAtMs < QUIET_MS;
      if (problem === null && isFresh && chain.isProven()) return;
      await askProven(question).catch(() => undefined);
    },
    prove: proveNow,
    health: () => ({
      name,
      problem,
      failures,
      silentMs: Math.max(0, clock.now() - (answeredAtMs ?? openedAtMs)),
      restsUntilMs: restsUntilMs > clock.now() ? restsUntilMs : null,
    }),
  };
}

/** Callers share the work that is already in progress. */
function shareRunningWork(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

const MOST_CAUSES = 4;

/** Libraries often report only that a request failed. The system's error code shows whether the host or the connection failed. */
function reasonOf(error: Error): string {
  let cause: unknown = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++, cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) && !error.message.includes(code))
      return `${error.message} (${code})`;
  }
  return error.message;
}
