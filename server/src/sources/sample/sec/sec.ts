import type { BeneficialOwnership } from '../../../model/sec/beneficial-ownership.ts'
import type { InsiderTrade } from '../../../model/sec/insider-trades.ts'
import type { InstitutionalHolding } from '../../../model/sec/institutional-holdings.ts'
import type { MaterialEvent } from '../../../model/sec/material-events.ts'
import type { PlannedSale } from '../../../model/sec/planned-sales.ts'
import type { PrivatePlacement } from '../../../model/sec/private-placements.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { sampleBeneficialOwnership } from './beneficial-ownership.ts'
import type { SecContext } from './context.ts'
import { type SampleFinancialFiling, sampleFinancialFilings } from './financial-filings.ts'
import { sampleInsiderTrades } from './insider-trades.ts'
import { sampleInstitutionalHoldings } from './institutional-holdings.ts'
import { sampleMaterialEvents } from './material-events.ts'
import { samplePlannedSales } from './planned-sales.ts'
import { samplePrivatePlacements } from './private-placements.ts'

/** Each dataset in the order in which its records were filed. */
export interface SampleSec {
  insiderTrades: NewRecord<InsiderTrade>[]
  financialFilings: SampleFinancialFiling[]
  institutionalHoldings: NewRecord<InstitutionalHolding>[]
  beneficialOwnership: NewRecord<BeneficialOwnership>[]
  privatePlacements: NewRecord<PrivatePlacement>[]
  plannedSales: NewRecord<PlannedSale>[]
  materialEvents: NewRecord<MaterialEvent>[]
}

/** A year of invented filings. */
export function sampleSec(context: SecContext): SampleSec {
  const insiderTrades = sampleInsiderTrades(context)
  const materialEvents = sampleMaterialEvents(context)
  return {
    insiderTrades,
    financialFilings: sampleFinancialFilings(context, materialEvents),
    institutionalHoldings: sampleInstitutionalHoldings(context),
    beneficialOwnership: sampleBeneficialOwnership(context),
    privatePlacements: samplePrivatePlacements(context),
    plannedSales: samplePlannedSales(context, insiderTrades),
    materialEvents,
  }
}
