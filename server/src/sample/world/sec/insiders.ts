import { createRandom } from '../random.ts'
import type { Company } from './companies.ts'
import { priceOf, type SecContext } from './context.ts'
import { insiderPerson, type Person } from './people.ts'

/** A person whose trades in a company's shares are reported. */
export interface Insider extends Person {
  isDirector: boolean
  isOfficer: boolean
  isTenPercentOwner: boolean
  officerTitle: string | null
  /** Current holdings in shares. */
  owned: number
}

/** Seats of every company; higher numbers are for people who join during the year. */
export const SEATS = 6
export const OWNER_SEAT = 5
const PEOPLE_PER_COMPANY = 10

const officerTitles = ['Chief Executive Officer', 'Chief Financial Officer', 'General Counsel']
const newTitles = ['Chief Operating Officer', 'Chief Accounting Officer', 'Chief Technology Officer']

/** Creates the insider on a seat: the same person in every dataset. */
export function createInsider(context: SecContext, company: Company, seat: number): Insider {
  const random = createRandom(`insider:${company.assetKey}:${seat}`)
  const isOwner = seat === OWNER_SEAT && company.rank % 4 === 0
  const title = seat < SEATS ? officerTitles[seat] : newTitles[seat % 4]
  const worth = isOwner ? random.between(3e8, 9e8) : seat === 0 ? random.between(3e7, 9e7) : random.between(2e6, 4e7)
  return {
    ...insiderPerson(company.rank * PEOPLE_PER_COMPANY + seat),
    isDirector: !isOwner && (seat === 0 || title === undefined),
    isOfficer: title !== undefined,
    isTenPercentOwner: isOwner,
    officerTitle: title ?? null,
    owned: Math.round(worth / priceOf(context, company, context.now)),
  }
}
