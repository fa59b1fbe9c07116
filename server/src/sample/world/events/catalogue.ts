import { commodityEvents } from './commodities.ts'
import { companyEvents } from './companies.ts'
import { cryptoEvents } from './crypto.ts'
import { dealEvents } from './deals.ts'
import { economyEvents } from './economy.ts'
import type { SampleEvent } from './event.ts'
import { marketEvents } from './markets.ts'

export const sampleEvents: readonly SampleEvent[] = [
  ...companyEvents,
  ...dealEvents,
  ...cryptoEvents,
  ...marketEvents,
  ...commodityEvents,
  ...economyEvents,
]
