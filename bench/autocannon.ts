// Generates the load on machines without wrk. The load and the printed line of JSON are the same as with wrk.
import autocannon from 'autocannon';

const { BENCH_METHOD, BENCH_BODY, BENCH_STEM, BENCH_KEY, BENCH_URL, BENCH_SECONDS, BENCH_CONNECTIONS } =
  process.env;
let count = 0;
const post = BENCH_METHOD === 'POST';
const result = await autocannon({
  url: BENCH_URL!,
  connections: Number(BENCH_CONNECTIONS),
  duration: Number(BENCH_SECONDS),
  headers: { 'svc-sec-key': BENCH_KEY!, ...(post && { 'content-type': 'application/json' }) },
  requests: [
    {
      method: post ? 'POST' : 'GET',
      ...(post && {
        setupRequest: (request) => ({
          ...request,
          body: `${BENCH_BODY},"reference":"${BENCH_STEM}-${count++}"}`,
        }),
      }),
    },
  ],
});
const line = {
  requests: result['2xx'] + result.non2xx,
  seconds: result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failed: result.non2xx + result.errors + result.timeouts,
};
console.log(`RESULT ${JSON.stringify(line)}`);
