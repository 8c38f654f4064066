// Counts connections and requests in progress on both ports, in total and per client. A request is in progress until the client
// has received its response. This file only counts; connections.ts enforces the limits.
import { makeNamedCounts } from './limits.ts';

export interface TrafficLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly requestsInFlight: number;
  /**
   * Whether an address is a proxy. A proxy forwards requests of many clients, so the limits for one client do not apply to it.
   */
  readonly isProxy: (address: string) => boolean;
}

export interface Traffic {
  /** Counts a new connection; false if there are too many connections in total or from its client. */
  connect(client: string, isProxy: boolean): boolean;
  disconnect(client: string): void;
  begin(client: string): void;
  end(client: string): void;
  /** Whether connections of this client may currently have only one request at a time. */
  isCrowded(client: string, isProxy: boolean): boolean;
  readonly connections: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly isProxy: TrafficLimits['isProxy'];
}

/**
 * Above this number of requests in progress, pipelined requests are refused. This limits the memory of requests in progress to
 * about 100 MB.
 */
const MAX_UNANSWERED = 20_000;

export function makeTraffic(limits: TrafficLimits): Traffic {
  const connections = makeNamedCounts();
  const requests = makeNamedCounts();
  const total = { connections: 0, refused: 0, unanswered: 0 };
  return {
    connect: (client, isProxy) => {
      const full =
        total.connections >= limits.maxConnections ||
        (!isProxy && connections.of(client) >= limits.maxConnectionsPerAddress);
      if (full) {
        total.refused++;
        return false;
      }
      total.connections++;
      connections.add(client);
      return true;
    },
    disconnect: (client) => {
      total.connections--;
      connections.remove(client);
    },
    begin: (client) => {
      total.unanswered++;
      requests.add(client);
    },
    end: (client) => {
      total.unanswered--;
      requests.remove(client);
    },
    isCrowded: (client, isProxy) =>
      total.unanswered > MAX_UNANSWERED || (!isProxy && requests.of(client) > limits.requestsInFlight),
    get connections() {
      return total.connections;
    },
    get refused() {
      return total.refused;
    },
    get unanswered() {
      return total.unanswered;
    },
    isProxy: limits.isProxy,
  };
}
