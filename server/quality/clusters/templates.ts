import type { Theme } from './theme.ts'

const COMPANIES = [
  'Arvello Therapeutics',
  'Bexley Bio',
  'Corvane Systems',
  'Dunmore Energy',
  'Ellisport Bancorp',
  'Oakfield Bancorp',
  'Farrowgate',
  'Glenhaven Foods',
  'Marlow Foods',
  'Apple',
  'Intel',
  'Merck',
  'Boeing',
  'Chevron',
  'Walmart',
  'Delta Air Lines',
]

/** The same announcements by many companies on one day: no two companies share a cluster. */
export const templateThemes: readonly Theme[] = COMPANIES.map((company, index) => ({
  about: company,
  clusters: [
    {
      day: 0.3 + index / 50,
      texts: [`${company} reports third quarter results`, `${company} beats third-quarter estimates`],
    },
    { day: 0.9 + index / 50, texts: [`${company} declares quarterly dividend of $0.${20 + index} per share`] },
    { day: 1.5 + index / 50, texts: [`${company} names new chief financial officer`] },
    { day: 2.1 + index / 50, texts: [`Insider at ${company} sells ${index + 4},000 shares`] },
  ],
}))
