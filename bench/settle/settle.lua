-- Whole lifecycles over HTTP: a claim, then the payment for it, over and over on each connection; one in five is a sell
-- whose deposit the sandbox makes by itself. Every payment has a different payer. Prints one line of JSON.
local claim = os.getenv("BENCH_CLAIM")
local credit = os.getenv("BENCH_CREDIT")
local sell = os.getenv("BENCH_SELL")
local stem = os.getenv("BENCH_STEM")
local first = tonumber(os.getenv("BENCH_FIRST"))
local claims_only = os.getenv("BENCH_CLAIMS_ONLY") == "1"
local count = 0
local owed = nil

local headers = { ["svc-sec-key"] = os.getenv("BENCH_KEY"), ["content-type"] = "application/json" }
local story = { ["svc-sec-key"] = os.getenv("BENCH_KEY"), ["content-type"] = "application/json", ["svc-scenario"] = "paid" }

request = function()
  if owed ~= nil then
    local account = owed
    owed = nil
    return wrk.format("POST", "/sandbox/v1/bank-credits", headers, credit .. ',"payer_account_number":"' .. account .. '"}')
  end
  count = count + 1
  local reference = ',"reference":"' .. stem .. "-" .. count .. '"}'
  if not claims_only and count % 5 == 0 then
    return wrk.format("POST", "/transactions/v1/offramp", story, sell .. reference)
  end
  local account = string.format("%010d", first + count)
  if not claims_only then owed = account end
  return wrk.format("POST", "/transactions/v1/onramp", headers, claim .. ',"account_number":"' .. account .. '"' .. reference)
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%.4f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
