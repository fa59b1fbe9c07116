import { normalizeWord, tokenize } from './tokens.ts'

/** The words of a name as they are compared: "The Coca-Cola Company" → the, coca, cola, company. */
export function nameWords(name: string): string[] {
  return tokenize(name.replace(STATE_OF_REGISTRATION, ' '))
    .map((token) => token.possessive ?? token.norm)
    .filter((word) => word !== '')
}

/** "Alphabet Inc. Class A", "Alibaba Group Holding Ltd ADR": from the class on nothing names the company. */
export function withoutShareClass(words: readonly string[]): string[] {
  const cut = words.findIndex((word, index) => index > 0 && SHARE_CLASS.has(word))
  return cut > 0 ? words.slice(0, cut) : [...words]
}

/** What is left of a legal name without the words that only say what kind of firm it is. */
export function coreName(words: readonly string[]): string[] {
  let stem = withoutShareClass(words)
  if (stem[0] === 'the' && stem.length > 1) stem = stem.slice(1)
  for (;;) {
    const last = stem.at(-1)
    if (last === undefined || stem.length === 1) break
    // A single letter is left by "S.A." or "N.V." written with spaces, but it may also be a name: "AT&T".
    const isLegal = LEGAL.has(last) || (last.length === 1 && LEGAL.has(`${stem.at(-2)}${last}`))
    const hangs = DANGLING.has(last)
    if (!isLegal && !hangs) break
    stem = stem.slice(0, -1)
  }
  return stem.length === 1 && stem[0] === 'the' ? [...words] : stem
}

/** The stem without the words that say what the company does, one by one: "compass minerals", "compass". */
export function shortFormsOf(stem: readonly string[]): string[][] {
  const forms: string[][] = []
  let short = [...stem]
  while (short.length > 1) {
    const last = short.at(-1) ?? ''
    if (!DESCRIPTORS.has(last) && !DANGLING.has(last)) break
    short = short.slice(0, -1)
    forms.push(short)
  }
  return forms
}

/** "Eagle Pharma" for Eagle Pharmaceuticals; null where the last word has no such form. */
export function abbreviatedForm(stem: readonly string[]): string[] | null {
  const short = ABBREVIATED.get(stem.at(-1) ?? '')
  return short === undefined || stem.length < 2 ? null : [...stem.slice(0, -1), short]
}

const ABBREVIATED = new Map(
  Object.entries({
    pharmaceutical: 'pharma',
    pharmaceuticals: 'pharma',
    technology: 'tech',
    technologies: 'tech',
    laboratories: 'labs',
    communications: 'comms',
  }),
)

/** First letters: "international business machines" → ibm; of and and are left out, as people do. */
export function acronymOf(stem: readonly string[]): string {
  return stem
    .filter((word) => !SMALL_WORDS.has(word))
    .map((word) => word.charAt(0))
    .join('')
}

/** "BANK OF AMERICA CORP /DE/": registries add the state. */
const STATE_OF_REGISTRATION = /(?<=\s|[A-Za-z]{4})[/\\][A-Za-z]{2,4}\/?(?=\s|$)/g

export const isDescriptor = (word: string) => DESCRIPTORS.has(word)

export const SMALL_WORDS = normalizedWords('of and the de du des da do di del la le les et und y e for in on a')

/** Forms of incorporation in the countries whose shares are traded most, and the words that go with them. */
const LEGAL = normalizedWords(`
  inc incorporated corp corporation co cos company companies ltd limited llc lp llp plc pcl pjsc pte
  ag aktiengesellschaft se kgaa gmbh sa sab cv sca sas spa srl nv bv ab as asa a/s oyj oy abp aktiebolag kk kabushiki kaisha
  tbk berhad bhd jsc ojsc pao sgps ssa ltda cia saog psc reit trust
  holding holdings group groupe groep grupo gruppe gruppo konzern hldgs grp intl
  com new de md nj ny pa va fi publ nyrt rt`)
const DANGLING = normalizedWords('and of the de & d')

const SHARE_CLASS = normalizedWords('class adr ads adrs gdr depositary ordinary common preferred series warrants units')

/** What companies do. Two companies may share what stands before these, which the catalogue then shows. */
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

export function normalizedWords(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(normalizeWord))
}
