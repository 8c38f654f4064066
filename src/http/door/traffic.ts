// What all clients together hold of this process, over both ports: connections, and requests that are not yet answered
// or whose answers are not yet taken. Counts only; connections.ts acts on them.
import { makeCounts } from './limits.ts';

export interface TrafficLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly requestsInFlight: number;
  /** Whether an address is that of a proxy, which carries many clients: it is not held to the limits of one. */
  readonly isProxy: (address: string) => boolean;
}

export interface Traffic {
  /** Takes in a connection; false when there are too many of all, or of its client. */
  connect(client: string, isProxy: boolean): boolean;
  disconnect(client: string): void;
  begin(client: string): void;
  end(client: string): void;
  /** Whether a connection of this client may have only one request at a time for now. */
  isCrowded(client: string, isProxy: boolean): boolean;
  readonly connections: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly isProxy: TrafficLimits['isProxy'];
}

/** Above this many unanswered requests in the process, pipelining ends: some 100 MB at worst. */
const MAX_UNANSWERED = 20_000;

export function makeTraffic(limits: TrafficLimits): Traffic {
  const connections = makeCounts();
  const requests = makeCounts();
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
