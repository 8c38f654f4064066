// Keeps connections per endpoint, so that an endpoint that does not respond does not delay other endpoints. Each endpoint has a
// few connections. Idle connections are closed after a few seconds. If there are too many endpoints, the connections of the
// least recently used endpoints are closed.
import { type buildConnector, Pool } from 'undici';
import type { Mode } from '../../domain/values/mode.ts';
import { MOST_HEADER_BYTES } from './problems.ts';

/** An idle connection is closed after this time. Node and other servers close an idle connection after five seconds. */
const IDLE_MS = 4_000;

export interface PoolSettings {
  readonly connectors: Readonly<Record<Mode, buildConnector.connector>>;
  readonly connectionsPerEndpoint: number;
  readonly endpointsKept: number;
}

interface KeptPool {
  readonly url: string;
  readonly mode: Mode;
  readonly path: string;
  readonly pool: Pool;
}

export class EndpointPools {
  readonly #settings: PoolSettings;
  /** The least recently used pool is first. */
  readonly #kept = new Map<string, KeptPool>();
  readonly #closing = new Set<Pool>();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** Returns the pool of the endpoint if the pool was made for the same URL and mode. */
  find(endpointId: string, url: string, mode: Mode): KeptPool | undefined {
    const kept = this.#kept.get(endpointId);
    if (kept?.url !== url || kept.mode !== mode) return undefined;
    this.#kept.delete(endpointId);
    this.#kept.set(endpointId, kept);
    return kept;
  }

  /** `checked` is `url` after the URL rules have normalised it. */
  open(endpointId: string, url: string, mode: Mode, checked: string): KeptPool {
    const { origin, pathname, search } = new URL(checked);
    this.forget(endpointId);
    const pool = new Pool(origin, {
      connect: this.#settings.connectors[mode],
      connections: this.#settings.connectionsPerEndpoint,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: MOST_HEADER_BYTES,
      // These time limits are turned off, because the attempt has one overall time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const kept = { url, mode, path: pathname + search, pool };
    this.#kept.set(endpointId, kept);
    if (this.#kept.size > this.#settings.endpointsKept) this.forget(this.#kept.keys().next().value!);
    return kept;
  }

  forget(endpointId: string): void {
    const kept = this.#kept.get(endpointId);
    if (kept === undefined) return;
    this.#kept.delete(endpointId);
    this.#closing.add(kept.pool);
    void kept.pool.close().finally(() => this.#closing.delete(kept.pool));
  }

  async close(): Promise<void> {
    const pools = [...[...this.#kept.values()].map(({ pool }) => pool), ...this.#closing];
    this.#kept.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}
