import { parseWords, wordSet } from '../word-lists.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/**
 * Finds verbs that are good or bad only with their object: "has received an order", "loses the contract", "closes two
 * mills", "hires 200 people". The verb must come first: "the agreement was signed in May" is a description, not news.
 */
export function actionEvidence(tokens: readonly SentimentToken[]): Evidence[] {
  const evidence: Evidence[] = []
  for (let at = 0; at < tokens.length; at++) {
    const rules = ACTIONS_BY_VERB.get(tokens[at]?.text ?? '')
    if (rules === undefined) continue
    const found = objectOf(tokens, at, rules)
    if (found === undefined) continue
    const { rule, end } = found
    const value = rule.value * (rule.isSale && hasAmount(tokens, at, end) ? AMOUNT_FACTOR : 1)
    evidence.push({ at, end, value })
    at = end - 1
  }
  return evidence
}

interface ActionRule {
  value: number
  verbs: string
  objects: string
  /** The maximum distance of the object from the verb, in tokens. */
  reach: number
  isSale?: true
  /** The rule applies only after one of these words. */
  after?: string
}

const ACTIONS: readonly ActionRule[] = [
  {
    value: 1.1,
    verbs: 'win wins won winning secure secures secured land lands landed clinch clinches clinched bags bagged awarded',
    objects: 'contract contracts order orders tender',
    reach: 7,
    isSale: true,
  },
  {
    value: 0.8,
    verbs: 'receive receives received obtain obtains obtained gets got signed signs sign inks inked booked',
    objects: 'contract contracts order orders',
    reach: 7,
    isSale: true,
  },
  {
    value: 0.45,
    verbs: 'win wins won secure secures secured clinch clinches clinched signed signs sign inks inked',
    objects: 'deal agreement',
    reach: 5,
    isSale: true,
  },
  {
    value: 0.5,
    verbs: 'deliver delivers supply supplies',
    objects: 'contract order deal',
    reach: 14,
    isSale: true,
  },
  {
    value: -1.2,
    verbs: 'lose loses lost losing cancel cancels cancelled canceled terminates terminated',
    objects: 'contract contracts order orders customer customers license licence',
    reach: 6,
  },
  {
    value: -1,
    verbs: 'close closes closing closed shut shuts shutting shutter shutters idle idles',
    objects: 'plant plants factory factories mill mills store stores branches shops offices sites mine mines unit',
    reach: 5,
  },
  {
    value: -1,
    verbs: 'stop stops stopped stopping halt halts halted suspend suspends suspended',
    objects: 'production operations deliveries withdrawals trading flights',
    reach: 3,
  },
  {
    value: -1.3,
    verbs: `
      cut cuts cutting axe axes axed slash slashes slashed shed sheds eliminate eliminates dismiss dismisses dismissed
      reduce reduces reducing terminate`,
    objects: 'jobs job staff personnel workforce employees workers positions headcount employment',
    reach: 6,
  },
  {
    value: -1.2,
    verbs: 'lose loses lost',
    objects: 'bull bulls',
    reach: 3,
  },
  {
    value: -1.2,
    verbs: 'gain gains gained',
    objects: 'bear bears',
    reach: 3,
  },
  {
    value: -1.2,
    verbs: `
      pull pulls pulled withdraw withdraws withdrew scrap scraps scrapped abandon abandons abandoned suspend suspends
      suspended ditch ditches ditched`,
    objects: 'outlook guidance forecast forecasts target targets',
    reach: 5,
  },
  {
    value: -1,
    verbs: 'lose loses lost',
    objects: 'appeal case lawsuit suit',
    reach: 4,
  },
  // Victories over something bad.
  {
    value: 1,
    verbs: `
      overcome overcomes overcame resolve resolves resolved settle settles settled avert averts averted survive survives
      survived fends dismissal`,
    objects: 'strike dispute shortage shortages crisis default lawsuit lawsuits suit claims charges probe walkout bid',
    reach: 5,
  },
  {
    value: 1.2,
    verbs: 'cleared acquitted exonerated absolved',
    objects: 'charges fraud bribery wrongdoing allegations misconduct claims laundering corruption',
    reach: 5,
  },
  {
    value: 1.1,
    verbs:
      'throws tosses threw tossed dismiss dismisses dismissed rejects rejected drops dropped ends closes overturns overturned',
    objects: 'lawsuit lawsuits suit case claims charges probe investigation fine verdict complaint inquiry ban',
    reach: 5,
    after: 'judge judges court courts tribunal jury regulator regulators watchdog agency prosecutors ftc doj sec eu',
  },
  {
    value: 0.7,
    verbs: 'hire hires hiring recruit recruits create creates creating',
    objects: 'jobs employees workers people staff',
    reach: 5,
  },
]

/** A contract with an amount is a sale; without one it may be any agreement. */
const AMOUNT_FACTOR = 1.35

/** A rule with its lists parsed. */
interface ParsedRule {
  rule: ActionRule
  objects: ReadonlySet<string>
  after: ReadonlySet<string> | undefined
}

const ACTIONS_BY_VERB = new Map<string, ParsedRule[]>()
for (const rule of ACTIONS) {
  const objects = wordSet(rule.objects)
  const after = rule.after === undefined ? undefined : wordSet(rule.after)
  for (const verb of parseWords(rule.verbs)) {
    ACTIONS_BY_VERB.set(verb, [...(ACTIONS_BY_VERB.get(verb) ?? []), { rule, objects, after }])
  }
}

function objectOf(
  tokens: readonly SentimentToken[],
  verb: number,
  rules: readonly ParsedRule[],
): { rule: ActionRule; end: number } | undefined {
  for (const { rule, objects, after } of rules) {
    if (
      after !== undefined &&
      !tokens.slice(Math.max(0, verb - SUBJECT_REACH), verb).some(({ text }) => after.has(text))
    )
      continue
    for (let at = verb + 1; at < tokens.length && at <= verb + rule.reach; at++) {
      const token = tokens[at]
      if (token === undefined || token.kind === 'stop' || token.text === ';') break
      if (objects.has(token.text)) return { rule, end: at + 1 }
    }
  }
  return undefined
}

/** The maximum distance of the subject from the verb, in tokens. */
const SUBJECT_REACH = 6

function hasAmount(tokens: readonly SentimentToken[], from: number, to: number): boolean {
  return tokens.slice(from, to + 8).some((token) => token.measure === 'money')
}
