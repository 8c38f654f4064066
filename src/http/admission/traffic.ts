// Counts connections and requests in progress on both ports of the service, in total and per client. A request is in progress
// until the client has received its response. This file only counts; connections.ts enforces the limits.
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
  /** Counts a new connection. The result is false if there are too many connections in total or from this client. */
  connect(client: string, isProxy: boolean): boolean;
  disconnect(client: string): void;
  begin(client: string): void;
  end(client: string): void;
  /** Whether each connection of this client may have only one request in progress at the moment. */
  isCrowded(client: string, isProxy: boolean): boolean;
  readonly connections: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly isProxy: TrafficLimits['isProxy'];
}

/**
 * Above this number of requests in progress, the service refuses pipelined requests. This limits the memory of requests in
 * progress to about 100 MB.
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
