import { shortNameOf } from '../enrich/mentions/short-name.ts'
import type { NewSignal } from '../model/signals.ts'
import { DAY } from '../model/time.ts'
import { Detection } from '../signals/detect/detection.ts'
import { DEFAULT_THRESHOLDS } from '../signals/detect/thresholds.ts'
import { outcomeOf } from '../signals/outcomes/outcome-rule.ts'
import { samplePrices } from './asset-prices.ts'
import { sampleHappenings } from './happenings.ts'
import type { SampleWorld } from './world/world.ts'

const DURATION = 90 * DAY

/** Runs the detectors over the last ninety days of the sample world; returns the signals in the order of detection. */
export function sampleSignals(world: SampleWorld, now: number): NewSignal[] {
  const names = new Map(world.assets.map((asset) => [asset.key, shortNameOf(asset)]))
  const detection = new Detection({
    thresholds: DEFAULT_THRESHOLDS,
    nameOf: (assetKey) => names.get(assetKey) ?? assetKey,
  })
  const prices = samplePrices(world, now)
  const signals = new Map<string, NewSignal>()
  for (const happening of sampleHappenings(world)) {
    if (happening.at <= now - DURATION) {
      detection.remember(happening)
      continue
    }
    for (const change of detection.observe(happening, prices)) {
      signals.set(change.signal.id, change.signal)
      for (const id of change.type === 'new' ? change.supersedes : []) {
        const superseded = signals.get(id)
        if (superseded !== undefined) signals.set(id, { ...superseded, isSuperseded: true })
      }
    }
  }
  return [...signals.values()].map((signal) => {
    const expiresAt = Date.parse(signal.expiresAt)
    if (expiresAt > now) return signal
    return { ...signal, outcome: outcomeOf(signal, prices.at(signal.assetKey, expiresAt), expiresAt) }
  })
}
