// How an endpoint of an identity provider fails.
import type { ServerResponse } from 'node:http';

export type Outage = 'silent' | 'slow' | 'status_500' | 'html' | 'hangs_up' | 'empty_json' | 'endless';

const SLOW_MS = 300;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Responds as the outage specifies, or normally if there is none. */
export function answerWith(response: ServerResponse, outage: Outage | undefined, asUsual: () => void): void {
  switch (outage) {
    case undefined:
      asUsual();
      return;
    case 'silent':
      return;
    case 'slow':
      setTimeout(asUsual, SLOW_MS);
      return;
    case 'status_500':
      response.writeHead(500, JSON_TYPE).end('{"error":"server_error"}');
      return;
    case 'empty_json':
      response.writeHead(200, JSON_TYPE).end('{}');
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Down for maintenance</body></html>');
      return;
    case 'hangs_up':
      response.destroy();
      return;
    case 'endless': {
      // The response never ends: a client must have its own time limit for the whole response.
      response.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    }
  }
}
