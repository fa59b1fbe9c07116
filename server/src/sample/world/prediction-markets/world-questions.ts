import { closeDate, fillDates, tradingPeriod } from './dates.ts'
import { higherLower, kebab, type Question, yesNo } from './question.ts'

type Lean = 1 | -1
type BinaryRow = [
  text: string,
  category: string,
  topics: string,
  opensIn: number,
  closesIn: number,
  start: number,
  lean: Lean,
  cancelled?: 'cancelled',
]
type ChoiceRow = [
  text: string,
  category: string,
  topics: string,
  opensIn: number,
  closesIn: number,
  choices: Record<string, number>,
]

/** Good economic news makes a rate cut less likely. The countries with elections and their parties are invented. */
const binaryRows: BinaryRow[] = [
  ['Will the Federal Reserve cut rates in {month}?', 'Economy', 'federal-reserve', -70, 20, 0.46, -1],
  ['Will the Federal Reserve cut rates in {month}?', 'Economy', 'federal-reserve', -40, 65, 0.58, -1],
  ['Will the Federal Reserve cut rates in {month}?', 'Economy', 'federal-reserve', -85, -25, 0.33, -1],
  ['Will the European Central Bank cut rates in {month}?', 'Economy', 'european-central-bank', -47, 28, 0.63, -1],
  ['Will the Bank of England cut rates in {month}?', 'Economy', 'bank-of-england', -32, 34, 0.51, -1],
  ['Will the Bank of Japan raise rates in {month}?', 'Economy', 'bank-of-japan', -53, 41, 0.29, 1],
  [
    'Will the People’s Bank of China ease its policy in {month}?',
    'Economy',
    'peoples-bank-of-china',
    -28,
    16,
    0.55,
    -1,
  ],
  ['Will US GDP growth for {quarter} be above 2%?', 'Economy', 'gdp', -61, 32, 0.57, 1],
  ['Will euro area GDP shrink in {quarter}?', 'Economy', 'gdp', -37, 48, 0.19, -1],
  ['Will US consumer prices rise by more than 0.3% in {month}?', 'Economy', 'consumer-prices', -22, 15, 0.42, -1],
  ['Will US consumer prices rise by more than 0.3% in {month}?', 'Economy', 'consumer-prices', -68, -17, 0.47, -1],
  ['Will the US add more than 150,000 jobs in {month}?', 'Economy', 'jobs-reports', -18, 10, 0.53, 1],
  ['Will retail sales in the UK grow in {month}?', 'Economy', 'retail-sales', -14, 36, 0.6, 1],
  ['Will a new tariff on cars be announced by {date}?', 'Policy', 'tariffs', -56, 44, 0.34, -1],
  ['Will a rule for large AI models pass by {date}?', 'Policy', 'ai-rules', -76, 90, 0.26, 1],
  ['Will another spot crypto fund be approved by {date}?', 'Crypto', 'crypto-etfs crypto-regulation', -33, 39, 0.49, 1],
  ['Will a crypto exchange report an exploit above $100 million by {date}?', 'Crypto', 'exploits', -45, -1, 0.38, -1],
  ['Will the Cedar League win the vote in Kestova on {date}?', 'Politics', 'elections', -78, -27, 0.54, 1],
  ['Will the Merrow Isles hold a snap election by {date}?', 'Politics', 'elections', -50, 68, 0.31, 1],
  ['Will the budget of Kestova pass by {date}?', 'Politics', 'budgets', -39, -8, 0.66, 1, 'cancelled'],
]

const choiceRows: ChoiceRow[] = [
  [
    'What will the Federal Reserve decide in {month}?',
    'Economy',
    'federal-reserve',
    -30,
    110,
    { 'No change': 0.5, 'Cut of 25 basis points': 0.36, 'Cut of 50 or more': 0.08, Rise: 0.06 },
  ],
  [
    'What will the European Central Bank decide in {month}?',
    'Economy',
    'european-central-bank',
    -25,
    75,
    { 'Cut of 25 basis points': 0.55, 'No change': 0.38, 'Any other decision': 0.07 },
  ],
  [
    'What will the Bank of England decide in {month}?',
    'Economy',
    'bank-of-england',
    -73,
    -22,
    { 'No change': 0.58, 'Cut of 25 basis points': 0.37, 'Any other decision': 0.05 },
  ],
  [
    'Which party will win the general election in Valdoria on {date}?',
    'Politics',
    'elections',
    -82,
    52,
    { 'Harbour Party': 0.38, 'Meadow Alliance': 0.31, 'Lantern List': 0.17, 'New Compass': 0.09, 'Any other': 0.05 },
  ],
  [
    'Which party will lead the Tarn Republic after {date}?',
    'Politics',
    'elections',
    -35,
    77,
    { 'Granite Union': 0.47, 'River Movement': 0.35, 'Any other': 0.18 },
  ],
  [
    'Which party will win the council vote in Port Ellery on {date}?',
    'Politics',
    'elections',
    -58,
    -13,
    { 'Quayside First': 0.42, 'Civic Orchard': 0.4, 'Lighthouse Group': 0.12, 'Any other': 0.06 },
  ],
]

const scalarRows: BinaryRow[] = [
  ['What will US GDP growth be for {quarter}, from -2% to 6%?', 'Economy', 'gdp', -41, 57, 0.52, 1],
  ['What will US inflation be in {month}, from 0% to 6%?', 'Economy', 'consumer-prices', -20, 43, 0.48, -1],
]

/** Returns questions about economies, rules and elections. News on their topic moves their odds. */
export function worldQuestions(now: number): Question[] {
  return [
    ...binaryRows.map((row) => askYesNo(now, 'binary', row)),
    ...scalarRows.map((row) => askYesNo(now, 'scalar', row)),
    ...choiceRows.map(([text, category, topics, opensIn, closesIn, choices]) =>
      ask(now, opensIn, closesIn, text, {
        type: 'categorical',
        category,
        topicSlugs: topics.split(' '),
        outcomes: Object.keys(choices).map((label) => ({ label })),
        isCancelled: false,
        model: { kind: 'opinion', start: Object.values(choices), lean: 1 },
      }),
    ),
  ]
}

function askYesNo(now: number, type: 'binary' | 'scalar', row: BinaryRow): Question {
  const [text, category, topics, opensIn, closesIn, start, lean, cancelled] = row
  return ask(now, opensIn, closesIn, text, {
    type,
    category,
    topicSlugs: topics.split(' '),
    outcomes: type === 'binary' ? yesNo : higherLower,
    isCancelled: cancelled !== undefined,
    model: { kind: 'opinion', start: [start, 1 - start], lean },
  })
}

function ask(
  now: number,
  opensIn: number,
  closesIn: number,
  text: string,
  fields: Pick<Question, 'type' | 'category' | 'topicSlugs' | 'outcomes' | 'isCancelled' | 'model'>,
): Question {
  const period = tradingPeriod(now, opensIn, closesIn)
  return {
    key: `world:${kebab(fields.topicSlugs.join(' '))}:${fields.type}:${opensIn}:${closesIn}`,
    ...fields,
    question: fillDates(text, period),
    eventTitle: null,
    assetKeys: [],
    rules: `Decided by the sample news up to ${closeDate(period)}.`,
    resolutionSource: null,
    period,
  }
}
