-- Arguments: a file with a path, a tab and a key per line. Prints the figures as JSON in the last line.
function init(args)
  local requests = {}
  for line in io.lines(args[1]) do
    local path, authorization = line:match('([^\t]*)\t(.*)')
    requests[#requests + 1] = wrk.format('GET', path, { authorization = authorization })
  end
  local sent = 0
  request = function()
    sent = sent + 1
    return requests[(sent - 1) % #requests + 1]
  end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format('{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failures":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
