import { shortNameOf } from '../enrich/mentions/short-name.ts'
import type { NewSignal, PastSignal } from '../model/signals.ts'
import { DAY } from '../model/time.ts'
import { Detection } from '../signals/detect/detection.ts'
import { DEFAULT_THRESHOLDS } from '../signals/detect/thresholds.ts'
import { outcomeOf } from '../signals/outcomes/outcome-rule.ts'
import { samplePrices } from './asset-prices.ts'
import { sampleHappenings } from './happenings.ts'
import type { SampleWorld } from './world/world.ts'

const DURATION = 90 * DAY

/**
 * Runs the detectors over the last ninety days of the sample world; returns every version of the signals in the order of
 * detection.
 */
export function sampleSignals(world: SampleWorld, now: number): PastSignal[] {
  const names = new Map(world.assets.map((asset) => [asset.key, shortNameOf(asset)]))
  const detection = new Detection({
    thresholds: DEFAULT_THRESHOLDS,
    nameOf: (assetKey) => names.get(assetKey) ?? assetKey,
  })
  const prices = samplePrices(world, now)
  const last = new Map<string, PastSignal>()
  const versions: PastSignal[] = []
  const add = (signal: PastSignal) => {
    last.set(signal.id, signal)
    versions.push(signal)
  }
  for (const happening of sampleHappenings(world)) {
    if (happening.at <= now - DURATION) {
      detection.remember(happening)
      continue
    }
    const knownFrom = happening.at
    for (const change of detection.observe(happening, prices)) {
      add({ ...change.signal, knownFrom })
      for (const id of change.type === 'new' ? change.supersedes : []) {
        const superseded = last.get(id)
        if (superseded !== undefined) add({ ...superseded, isSuperseded: true, knownFrom })
      }
    }
  }
  return versions.map((signal) => {
    const expiresAt = Date.parse(signal.expiresAt)
    if (expiresAt > now || last.get(signal.id) !== signal) return signal
    return { ...signal, outcome: outcomeOf(signal, prices.at(signal.assetKey, expiresAt), expiresAt) }
  })
}

/** Returns the last version of each signal. */
export function currentSignals(versions: readonly PastSignal[]): NewSignal[] {
  return [...new Map(versions.map(({ knownFrom: _, ...signal }) => [signal.id, signal])).values()]
}
