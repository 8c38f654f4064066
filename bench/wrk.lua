-- One request after another on each connection; a POST gets a reference of its own each time. Prints one line of JSON.
local method = os.getenv("BENCH_METHOD")
local body = os.getenv("BENCH_BODY")
local stem = os.getenv("BENCH_STEM")
local count = 0

wrk.method = method
wrk.headers["svc-sec-key"] = os.getenv("BENCH_KEY")
if method == "POST" then
  wrk.headers["content-type"] = "application/json"
  request = function()
    count = count + 1
    return wrk.format(nil, nil, nil, body .. ',"reference":"' .. stem .. "-" .. count .. '"}')
  end
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%.4f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
