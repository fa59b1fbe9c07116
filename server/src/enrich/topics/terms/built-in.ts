import type { TopicTerms } from '../terms.ts'
import { commodityTerms } from './commodities.ts'
import { companyTerms } from './companies.ts'
import { cryptoTerms } from './crypto.ts'
import { macroTerms } from './macro.ts'
import { marketTerms } from './markets.ts'
import { policyTerms } from './policy.ts'
import { sectorTerms } from './sectors.ts'

/** The terms of the built-in topic tree, one file per root. */
export const builtInTerms: readonly TopicTerms[] = [
  ...marketTerms,
  ...companyTerms,
  ...macroTerms,
  ...policyTerms,
  ...cryptoTerms,
  ...commodityTerms,
  ...sectorTerms,
]
