import type { Balance } from '../model/accounts.ts'
import type { RedisScript } from '../redis/redis-link.ts'
import type { RateLimits } from './rate.ts'

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

/** What the script is asked about one account. */
export interface MeterOrder {
  mode: MeterMode
  /** The version by which the caller was cached. */
  version?: string | undefined
  /** The balance, if it changed. One that was read replaces any other, one after a charge that of an earlier transfer. */
  balance?: (Balance & { isRead: boolean }) | undefined
  /** Credits that requests and streams of this instance hold, with the costs of the requests to take. */
  requests: number
  streams: number
  limits: RateLimits
  /** The costs of the requests to take, or the usage to restore or add, as pairs of time and count. */
  numbers: readonly number[]
}

/** What the script says about one account. Without a balance, none is known. Credits are texts, which lose no digit. */
export interface OrderAnswer {
  /** `stale`: the caller was cached by another version. `unknown`: the key has to be restored. */
  status: 'done' | 'stale' | 'unknown'
  version: string
  balance?: string
  transfer: string
  /** What the other instances hold. */
  requests: string
  streams: string
  /** `VERDICT_NUMBERS` of each request. */
  verdicts?: number[]
}

/** The argument of the script, as JSON: a text costs both sides less than dozens of arguments. */
export interface MeterOrders {
  /** Undefined for the time of the server. */
  now?: number | undefined
  instance: string
  /** For accounts without a version. */
  newVersion: string
  /** For how long a hold lasts. */
  holdMs: number
  orders: readonly MeterOrder[]
}

/** Numbers of the verdict on a request. */
export const VERDICT_NUMBERS = 9

/**
 * Does everything that requests need of Redis in one step, on the time of the server, for one account after the other. The
 * rules of the rate are those of `KeyRate`; redis-meter.test.ts compares them.
 *
 * Keys, two for each order: the account, the rate of the key. In a cluster both are in one slot, those of other accounts are not.
 *
 * Returns `{ now, answers }` as JSON.
 *
 * The account has the fields `version`, `balance`, `transfer`, and one per instance: its holds and the time when they end. The
 * rate has `level` and `at` of the bucket, and of both windows the sum, the oldest and the newest slot (`h_used`, `h_first`,
 * `h_last`) and the slots (`h123`).
 */
export const METER_SCRIPT: RedisScript = {
  name: 'mintickMeter',
  lua: `
local given = cjson.decode(ARGV[1])
local now, instance = given.now, given.instance
local REQUEST, KEEP_MS = 60000, 90000000

if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end

-- A window of the rate.
local function countOf(window, slot) return tonumber(redis.call('HGET', window.key, window.name .. text(slot)) or 0) end
local function leavesAt(window, slot) return (slot + 1) * window.slotMs + window.lengthMs end
local function expire(window)
  while window.used > 0 and leavesAt(window, window.first) <= now do
    window.used = window.used - countOf(window, window.first)
    redis.call('HDEL', window.key, window.name .. text(window.first))
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
  redis.call('HINCRBY', window.key, window.name .. text(slot), count)
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

-- The bucket of the rate.
local function refill(bucket, time)
  bucket.level = math.min(bucket.full, bucket.level + math.max(0, time - bucket.at) * bucket.perMinute)
  bucket.at = math.max(bucket.at, time)
end
local function msUntil(bucket, level)
  if bucket.level >= level then return 0 end
  return bucket.at - now + math.ceil((level - bucket.level) / bucket.perMinute)
end

local function readRate(key, limits)
  local state = redis.call('HMGET', key, 'level', 'at', 'h_used', 'h_first', 'h_last', 'd_used', 'd_first', 'd_last')
  for place = 2, 8 do state[place] = tonumber(state[place] or 0) end
  local full = limits.burst * REQUEST
  return {
    key = key, isKnown = state[1] ~= false,
    -- If the clock was set back, the bucket refills at once, not only when the clock has caught up.
    bucket = { level = tonumber(state[1] or full), at = math.min(state[2], now + 1000), full = full, perMinute = limits.requestsPerMinute },
    hour = {
      key = key, name = 'h', slotMs = 10000, lengthMs = 3600000, limit = limits.requestsPerHour,
      used = state[3], first = state[4], last = state[5],
    },
    day = {
      key = key, name = 'd', slotMs = 240000, lengthMs = 86400000, limit = limits.requestsPerDay,
      used = state[6], first = state[7], last = state[8],
    },
  }
end
local function writeRate(rate)
  local bucket, hour, day = rate.bucket, rate.hour, rate.day
  redis.call('HSET', rate.key, 'level', text(bucket.level), 'at', text(bucket.at),
    'h_used', text(hour.used), 'h_first', text(hour.first), 'h_last', text(hour.last),
    'd_used', text(day.used), 'd_first', text(day.first), 'd_last', text(day.last))
  redis.call('PEXPIRE', rate.key, KEEP_MS)
end
local function addUsage(rate, time, count)
  add(rate.hour, time, count)
  add(rate.day, time, count)
end
local function restore(rate, pairsOfUse)
  local bucket = rate.bucket
  for i = 1, #pairsOfUse, 2 do
    local at, count = pairsOfUse[i], pairsOfUse[i + 1]
    refill(bucket, math.min(at + rate.hour.slotMs, now))
    bucket.level = math.max(0, bucket.level - count * REQUEST)
    addUsage(rate, at, count)
  end
  rate.isKnown = true
end
local function msToWait(rate)
  return math.max(msUntil(rate.bucket, REQUEST), waitMs(rate.hour), waitMs(rate.day))
end
local function addVerdict(verdicts, rate, isHeld, wait)
  local bucket, hour, day = rate.bucket, rate.hour, rate.day
  for _, number in ipairs({
    isHeld and 1 or 0, wait == 0 and 1 or 0, wait,
    math.floor(bucket.level / REQUEST), msUntil(bucket, bucket.full),
    math.max(0, hour.limit - hour.used), resetMs(hour),
    math.max(0, day.limit - day.used), resetMs(day),
  }) do verdicts[#verdicts + 1] = number end
end

-- The account: version, balance, holds of the other instances.
local function readAccount(key)
  local account = { key = key, transfer = 0, otherRequests = 0, otherStreams = 0, isHolding = false }
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    if name == 'version' then account.version = value
    elseif name == 'balance' then account.balance = tonumber(value)
    elseif name == 'transfer' then account.transfer = tonumber(value)
    elseif name == instance then account.isHolding = true
    else
      local ofRequests, ofStreams, till = string.match(value, '^(%d+) (%d+) (%d+)$')
      if not till or tonumber(till) <= now then redis.call('HDEL', key, name)
      else
        account.otherRequests = account.otherRequests + ofRequests
        account.otherStreams = account.otherStreams + ofStreams
      end
    end
  end
  return account
end

-- Takes requests one after the other; returns the credits that those of this instance hold then.
local function take(account, rate, requests, streams, costs, verdicts)
  for _, cost in ipairs(costs) do requests = requests - cost end
  if not rate.isKnown then return requests end
  for _, cost in ipairs(costs) do
    local wait, isHeld = msToWait(rate), false
    if wait == 0 then
      rate.bucket.level = rate.bucket.level - REQUEST
      addUsage(rate, now, 1)
      local others = account.otherRequests + account.otherStreams
      isHeld = cost == 0 or (account.balance and account.balance - others - requests - streams >= cost)
    end
    if isHeld then requests = requests + cost end
    addVerdict(verdicts, rate, isHeld, wait)
  end
  return requests
end

local function serve(accountKey, rateKey, order)
  local account = readAccount(accountKey)
  if not account.version then
    account.version = given.newVersion
    redis.call('HSET', accountKey, 'version', account.version)
  end
  local new = order.balance
  if new and (new.isRead or new.transferId >= account.transfer) then
    account.balance, account.transfer = new.credits, new.transferId
    redis.call('HSET', accountKey, 'balance', text(new.credits), 'transfer', text(new.transferId))
  end
  if order.version and order.version ~= account.version then return { status = 'stale', version = account.version } end

  local mode, requests, streams, status, verdicts = order.mode, order.requests, order.streams, 'done', {}
  if mode ~= 'sync' then
    local rate = readRate(rateKey, order.limits)
    if (mode == 'restore' and not rate.isKnown) or (mode == 'add' and rate.isKnown) then restore(rate, order.numbers) end
    refill(rate.bucket, now)
    expire(rate.hour)
    expire(rate.day)
    if mode == 'look' then addVerdict(verdicts, rate, false, msToWait(rate))
    elseif mode == 'take' then
      requests = take(account, rate, requests, streams, order.numbers, verdicts)
      if not rate.isKnown then status = 'unknown' end
    end
    if rate.isKnown then writeRate(rate) end
  end

  -- The hold.
  if requests + streams > 0 then
    redis.call('HSET', accountKey, instance, text(requests) .. ' ' .. text(streams) .. ' ' .. text(now + given.holdMs))
  elseif account.isHolding then
    redis.call('HDEL', accountKey, instance)
  end
  redis.call('PEXPIRE', accountKey, KEEP_MS)
  return {
    status = status, version = account.version,
    balance = account.balance and text(account.balance), transfer = text(account.transfer),
    requests = text(account.otherRequests), streams = text(account.otherStreams),
    verdicts = #verdicts > 0 and verdicts or nil,
  }
end

local answers = {}
for i, order in ipairs(given.orders) do answers[i] = serve(KEYS[2 * i - 1], KEYS[2 * i], order) end
return cjson.encode({ now = now, answers = answers })
`,
}
