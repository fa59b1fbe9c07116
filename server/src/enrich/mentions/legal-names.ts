import { isOfCalendar } from './calendar-words.ts'
import { normalizedWords, tokenize } from './tokens.ts'

/** Splits a name into normalised words: "The Coca-Cola Company" → the, coca, cola, company. */
export function nameWords(name: string): string[] {
  return tokenize(name.replace(STATE_OF_REGISTRATION, ' '))
    .map((token) => token.possessive ?? token.norm)
    .filter((word) => word !== '')
}

/** Cuts a name at its share class: "Alphabet Inc. Class A", "Alibaba Group Holding Ltd ADR". */
export function withoutShareClass(words: readonly string[]): string[] {
  const cut = words.findIndex((word, index) => index > 0 && SHARE_CLASS.has(word))
  return cut > 0 ? words.slice(0, cut) : [...words]
}

/** Removes the legal form from a name: "the walt disney company" → walt, disney. */
export function coreName(words: readonly string[]): string[] {
  let core = withoutShareClass(words)
  if (core[0] === 'the' && core.length > 1) core = core.slice(1)
  for (;;) {
    const last = core.at(-1)
    if (last === undefined || core.length === 1) break
    // "monday.com" without its end is a day.
    if (core.length === 2 && isOfCalendar(core[0] ?? '')) break
    // "S. A." and "N. V." leave single letters, but so does the name "AT&T".
    const isLegal = LEGAL_FORMS.has(last) || (last.length === 1 && LEGAL_FORMS.has(`${core.at(-2)}${last}`))
    const isDangling = DANGLING_WORDS.has(last)
    if (!isLegal && !isDangling) break
    core = core.slice(0, -1)
  }
  return core.length === 1 && core[0] === 'the' ? [...words] : core
}

/** Returns the name with its legal forms written out, or shortened: "Service Corp" and "Service Corporation". */
export function otherLegalForms(words: readonly string[]): string[][] {
  return [LONG_FORMS, SHORT_FORMS].flatMap((forms) => {
    const other = words.map((word) => forms.get(word) ?? word)
    return other.some((word, index) => word !== words[index]) ? [other] : []
  })
}

const LONG_FORMS = new Map([
  ['corp', 'corporation'],
  ['co', 'company'],
  ['cos', 'companies'],
  ['ltd', 'limited'],
])
const SHORT_FORMS = new Map([...LONG_FORMS].map(([short, long]) => [long, short]))

/** Reports whether a word may follow a comma in a name: "Buckle, Inc.". */
export const isLegalForm = (word: string) => AFTER_COMMA.has(word)
const AFTER_COMMA = normalizedWords('inc ltd limited llc lp plc corp sa nv ag')

/** Drops the final words that describe the business, one by one: "compass minerals", then "compass". */
export function shortFormsOf(core: readonly string[]): string[][] {
  const forms: string[][] = []
  let short = [...core]
  while (short.length > 1) {
    const last = short.at(-1) ?? ''
    if (!DESCRIPTORS.has(last) && !DANGLING_WORDS.has(last)) break
    short = short.slice(0, -1)
    forms.push(short)
  }
  return forms
}

/** Abbreviates the last word: Eagle Pharmaceuticals → "Eagle Pharma". Null if it has no abbreviation. */
export function abbreviatedForm(core: readonly string[]): string[] | null {
  const short = ABBREVIATED_WORDS.get(core.at(-1) ?? '')
  return short === undefined || core.length < 2 ? null : [...core.slice(0, -1), short]
}

const ABBREVIATED_WORDS = new Map(
  Object.entries({
    pharmaceutical: 'pharma',
    pharmaceuticals: 'pharma',
    technology: 'tech',
    technologies: 'tech',
    laboratories: 'labs',
    communications: 'comms',
  }),
)

/** Returns the initials without function words: "international business machines" → ibm. */
export function acronymOf(core: readonly string[]): string {
  return core
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map((word) => word.charAt(0))
    .join('')
}

/** Registries add the state: "BANK OF AMERICA CORP /DE/". */
const STATE_OF_REGISTRATION = /(?<=\s|[A-Za-z]{4})[/\\][A-Za-z]{2,4}\/?(?=\s|$)/g

export const isDescriptor = (word: string) => DESCRIPTORS.has(word)

export const FUNCTION_WORDS = normalizedWords('of and the de du des da do di del la le les et und y e for in on a')

/** Legal forms of the most traded countries, and words that go with them. */
const LEGAL_FORMS = normalizedWords(`
  inc incorporated corp corporation co cos company companies ltd limited llc lp llp plc pcl pjsc pte
  ag aktiengesellschaft se kgaa gmbh sa sab cv sca sas spa srl nv bv ab as asa a/s oyj oy abp aktiebolag kk kabushiki kaisha
  tbk berhad bhd jsc ojsc pao sgps ssa ltda cia saog psc reit trust
  holding holdings group groupe groep grupo gruppe gruppo konzern hldgs grp intl
  com new de md nj ny pa va fi publ nyrt rt`)
const DANGLING_WORDS = normalizedWords('and of the de & d')

const SHARE_CLASS = normalizedWords('class adr ads adrs gdr depositary ordinary common preferred series warrants units')

/** Words that describe a business. Companies may share the words before them; the catalogue shows which do. */
const DESCRIPTORS = normalizedWords(`
  technology technologies tech systems software networks network semiconductor semiconductors electronics devices
  pharmaceutical pharmaceuticals pharma therapeutics biosciences bioscience biotech biotechnology biopharma sciences
  biotherapeutics biologics genetics genomics oncology medicines laboratories labs scientific medical health
  healthcare diagnostics surgical instruments
  energy petroleum oil gas resources midstream exploration drilling power solar renewables utilities
  industries industrial industrials manufacturing materials chemical chemicals steel mining minerals metals gold
  motor motors automotive auto automobiles airlines airways aerospace aviation logistics shipping transportation
  financial finance bank banks bancorp bancshares banking capital insurance assurance investment investments
  investors asset management advisors partners markets exchange securities brokers mortgage
  international global worldwide america americas usa us uk europe international
  brands foods beverage beverages restaurants hotels resorts entertainment media studios interactive games gaming
  communications telecom telecommunications wireless broadband platforms platform online digital solutions services
  service enterprises enterprise consulting products stores retail wholesale outfitters apparel cosmetics
  properties property realty estate residential homes trust fund acquisition cruises engineering construction
  infrastructure environmental water paper packaging data cloud security life system research works bancorporation`)
