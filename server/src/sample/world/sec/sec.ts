import type { SecDataset, SecRecords } from '../../../model/sec/datasets.ts'
import type { NewFiling, NewRecord } from '../../../model/sec/record.ts'
import { sampleBeneficialOwnership } from './beneficial-ownership.ts'
import type { SecContext } from './context.ts'
import { sampleFinancialFilings } from './financial-filings.ts'
import { sampleInsiderTrades } from './insider-trades.ts'
import { sampleInstitutionalHoldings } from './institutional-holdings.ts'
import { sampleMaterialEvents } from './material-events.ts'
import { samplePlannedSales } from './planned-sales.ts'
import { samplePrivatePlacements } from './private-placements.ts'

/** The filings of each dataset, ordered by filing time. */
export type SampleSec = { [Dataset in SecDataset]: NewFiling<SecRecords[Dataset]>[] }

/** Creates a year of invented filings. */
export function sampleSec(context: SecContext): SampleSec {
  const insiderTrades = sampleInsiderTrades(context)
  const materialEvents = sampleMaterialEvents(context)
  return {
    'insider-trades': filings(insiderTrades),
    'financial-filings': sampleFinancialFilings(context, materialEvents),
    'institutional-holdings': filings(sampleInstitutionalHoldings(context)),
    'beneficial-ownership': filings(sampleBeneficialOwnership(context)),
    'private-placements': filings(samplePrivatePlacements(context)),
    'planned-sales': filings(samplePlannedSales(context, insiderTrades)),
    'material-events': filings(materialEvents),
  }
}

export function recordsOf<Dataset extends SecDataset>(
  sec: SampleSec,
  dataset: Dataset,
): NewRecord<SecRecords[Dataset]>[] {
  return sec[dataset].map(({ record }) => record)
}

const filings = <R>(records: readonly R[]) => records.map((record) => ({ record }))
