import type { RedisScript } from '../redis/redis-link.ts'

/** Modes of the script. */
export type MeterMode =
  /** Counts requests and holds their costs, one after the other. */
  | 'take'
  /** Looks at the rate without counting. */
  | 'look'
  /** Leaves the rate alone. */
  | 'sync'
  /** Sets the usage of a key that is unknown. */
  | 'restore'
  /** Adds usage to a key that is known. */
  | 'add'

/** The first number of an answer. The rest of `STALE` is the version; that of `UNKNOWN` ends before the balance. */
export const STALE = 0
export const UNKNOWN = 1
/** Numbers of the verdict on a request. */
export const VERDICT_NUMBERS = 9

/**
 * Does everything that requests need of Redis in one step, on the time of the server. The rules of the rate are those of
 * `KeyRate`; redis-meter.test.ts compares them.
 *
 * Keys, in one slot of a cluster: the account, the rate of the key.
 *
 * Arguments: the mode; the time in ms, or nothing for that of the server; the version of the account by which the caller was
 * cached, or nothing; a version in case there is none; the field of this instance; the balance, if it changed, the id of its
 * transfer, and `read` if it replaces any balance, otherwise it replaces only that of an earlier transfer; the credits that
 * requests and streams of this instance hold, with the costs of these requests; for how many ms a hold lasts; the limits:
 * burst, requests per minute, hour and day; then the costs of the requests to take, or the usage to restore or add, as pairs
 * of time and count.
 *
 * Returns the status, the version, the time, the balance and its transfer, the holds of requests and of streams of the other
 * instances, then the verdict on each request.
 *
 * The account has the fields `version`, `balance`, `transfer`, and one per instance: its holds and the time when they end. The
 * rate has `level` and `at` of the bucket, and of both windows the sum, the oldest and the newest slot (`h_used`, `h_first`,
 * `h_last`) and the slots (`h123`).
 */
export const METER_SCRIPT: RedisScript = {
  name: 'mintickMeter',
  keys: 2,
  lua: `
local account, rate = KEYS[1], KEYS[2]
local mode, now, expected, candidate, instance = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local newBalance, newTransfer, isRead = tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8] == 'read'
local requests, streams, holdMs = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local burst, perMinute, perHour, perDay = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14]), tonumber(ARGV[15])
local FIRST, REQUEST, KEEP_MS = 16, 60000, 90000000

if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end

-- The account: version, balance, holds of the other instances.
local version, balance, transfer, otherRequests, otherStreams, ownHold = false, false, 0, 0, 0, false
local fields = redis.call('HGETALL', account)
for i = 1, #fields, 2 do
  local name, value = fields[i], fields[i + 1]
  if name == 'version' then version = value
  elseif name == 'balance' then balance = tonumber(value)
  elseif name == 'transfer' then transfer = tonumber(value)
  elseif name == instance then ownHold = value
  else
    local ofRequests, ofStreams, till = string.match(value, '^(%d+) (%d+) (%d+)$')
    if not till or tonumber(till) <= now then redis.call('HDEL', account, name)
    else
      otherRequests = otherRequests + ofRequests
      otherStreams = otherStreams + ofStreams
    end
  end
end
if not version then
  version = candidate
  redis.call('HSET', account, 'version', version)
end
if newBalance and (isRead or newTransfer >= transfer) then
  balance, transfer = newBalance, newTransfer
  redis.call('HSET', account, 'balance', text(balance), 'transfer', text(transfer))
end
if expected ~= '' and expected ~= version then return { ${STALE}, version } end

-- The bucket and the windows.
local bucket = { level = burst * REQUEST, at = 0 }
local hour = { name = 'h', slotMs = 10000, lengthMs = 3600000, limit = perHour }
local day = { name = 'd', slotMs = 240000, lengthMs = 86400000, limit = perDay }
local names = { 'level', 'at', 'h_used', 'h_first', 'h_last', 'd_used', 'd_first', 'd_last' }

local function countOf(window, slot) return tonumber(redis.call('HGET', rate, window.name .. text(slot)) or 0) end
local function leavesAt(window, slot) return (slot + 1) * window.slotMs + window.lengthMs end

local function refill(time)
  bucket.level = math.min(burst * REQUEST, bucket.level + math.max(0, time - bucket.at) * perMinute)
  bucket.at = math.max(bucket.at, time)
end
local function msUntil(level)
  if bucket.level >= level then return 0 end
  return bucket.at - now + math.ceil((level - bucket.level) / perMinute)
end
local function expire(window)
  while window.used > 0 and leavesAt(window, window.first) <= now do
    window.used = window.used - countOf(window, window.first)
    redis.call('HDEL', rate, window.name .. text(window.first))
    repeat window.first = window.first + 1 until window.first > window.last or countOf(window, window.first) > 0
    if window.first > window.last then window.used = 0 end
  end
end
local function add(window, time, count)
  local slot = math.floor(time / window.slotMs)
  if window.used == 0 then window.first = slot
  else slot = math.max(slot, window.last) end
  window.last = slot
  window.used = window.used + count
  redis.call('HINCRBY', rate, window.name .. text(slot), count)
end
local function waitMs(window)
  local used, wait, slot = window.used, 0, window.first
  while used >= window.limit and slot <= window.last do
    local count = countOf(window, slot)
    if count > 0 then
      used = used - count
      wait = leavesAt(window, slot) - now
    end
    slot = slot + 1
  end
  return wait
end
local function resetMs(window)
  if window.used == 0 then return 0 end
  return leavesAt(window, window.first) - now
end

local verdicts = {}
local function addVerdict(isHeld, isAllowed, wait)
  for _, number in ipairs({
    isHeld and 1 or 0, isAllowed and 1 or 0, wait,
    math.floor(bucket.level / REQUEST), msUntil(burst * REQUEST),
    math.max(0, perHour - hour.used), resetMs(hour),
    math.max(0, perDay - day.used), resetMs(day),
  }) do verdicts[#verdicts + 1] = number end
end
local function msToWait() return math.max(msUntil(REQUEST), waitMs(hour), waitMs(day)) end

local isKnown = true
if mode == 'take' then
  for i = FIRST, #ARGV do requests = requests - ARGV[i] end
end
if mode ~= 'sync' then
  local state = redis.call('HMGET', rate, unpack(names))
  isKnown = state[1] ~= false
  if isKnown then bucket.level, bucket.at = tonumber(state[1]), tonumber(state[2]) end
  for offset, window in pairs({ [3] = hour, [6] = day }) do
    window.used, window.first, window.last = tonumber(state[offset] or 0), tonumber(state[offset + 1] or 0), tonumber(state[offset + 2] or 0)
  end
  if (mode == 'restore' and not isKnown) or (mode == 'add' and isKnown) then
    for i = FIRST, #ARGV, 2 do
      local at, count = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
      refill(math.min(at + hour.slotMs, now))
      bucket.level = math.max(0, bucket.level - count * REQUEST)
      add(hour, at, count)
      add(day, at, count)
    end
    isKnown = true
  end
  refill(now)
  expire(hour)
  expire(day)
  if mode == 'look' then
    local wait = msToWait()
    addVerdict(false, wait == 0, wait)
  elseif mode == 'take' and isKnown then
    for i = FIRST, #ARGV do
      local cost, wait = tonumber(ARGV[i]), msToWait()
      local isHeld = false
      if wait == 0 then
        bucket.level = bucket.level - REQUEST
        add(hour, now, 1)
        add(day, now, 1)
        isHeld = cost == 0 or (balance and balance - otherRequests - otherStreams - requests - streams >= cost)
      end
      if isHeld then requests = requests + cost end
      addVerdict(isHeld, wait == 0, wait)
    end
  end
  if isKnown then
    local values = { bucket.level, bucket.at, hour.used, hour.first, hour.last, day.used, day.first, day.last }
    local pairsOf = {}
    for i, name in ipairs(names) do
      pairsOf[#pairsOf + 1] = name
      pairsOf[#pairsOf + 1] = text(values[i])
    end
    redis.call('HSET', rate, unpack(pairsOf))
    redis.call('PEXPIRE', rate, KEEP_MS)
  end
end

-- The hold.
if requests + streams > 0 then
  redis.call('HSET', account, instance, text(requests) .. ' ' .. text(streams) .. ' ' .. text(now + holdMs))
elseif ownHold then
  redis.call('HDEL', account, instance)
end
redis.call('PEXPIRE', account, KEEP_MS)

if not isKnown and mode == 'take' then return { ${UNKNOWN}, version, now } end
local answer = { 2, version, now, balance or '', transfer, otherRequests, otherStreams }
for _, number in ipairs(verdicts) do answer[#answer + 1] = number end
return answer
`,
}
