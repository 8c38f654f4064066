// The receiver of the webhooks benchmark, in a separate process. It returns 200 and checks nothing, but it never responds to
// requests to /hang/…. It counts the received webhooks. For requests to /timed/… it measures the time since the event.
import { createServer } from 'node:http';
import type { Receipts, ReceiverRequest } from './receiver-process.ts';

let receipts = { count: 0, firstAtMs: 0, lastAtMs: 0 };
let latenciesMs: number[] = [];
let wanted = Number.POSITIVE_INFINITY;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const url = request.url!;
  const isTimed = url.startsWith('/timed/');
  let body = '';
  if (isTimed) request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  else request.resume();
  request.on('end', () => {
    if (url.startsWith('/hang/')) return;
    response.end();
    if (url.startsWith('/aside/')) return;
    const atMs = Date.now();
    if (isTimed) latenciesMs.push(atMs - Date.parse(/"timestamp":"([^"]+)"/.exec(body)![1]!));
    if (receipts.count === 0) receipts.firstAtMs = atMs;
    receipts.lastAtMs = atMs;
    if (++receipts.count === wanted) report();
  });
});
server.requestTimeout = 0;

function report(): void {
  process.send!({ ...receipts, latenciesMs } satisfies Receipts);
}

process.on('message', (request: ReceiverRequest) => {
  receipts = { count: 0, firstAtMs: 0, lastAtMs: 0 };
  latenciesMs = [];
  wanted = request.wanted;
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as { port: number }).port });
});
