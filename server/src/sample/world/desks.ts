import type { NewAsset } from '../../model/assets.ts'
import type { NewPublisher } from '../../model/publishers.ts'
import { sampleEvents } from './events/catalogue.ts'
import type { Direction, EventScope, SampleEvent } from './events/event.ts'
import { german } from './languages/de.ts'
import { english } from './languages/en.ts'
import { spanish } from './languages/es.ts'
import { french } from './languages/fr.ts'
import { italian } from './languages/it.ts'
import { japanese } from './languages/ja.ts'
import type { Language, Region } from './languages/language.ts'
import { portuguese } from './languages/pt.ts'
import { chinese } from './languages/zh.ts'
import type { Home } from './occurrence.ts'
import { assetsByPopularity } from './popularity.ts'
import { samplePublishers } from './publishers.ts'
import { type Random, type WeightedTable, weightedTable, zipfTable } from './random.ts'
import { compileTemplate, type Template } from './slots.ts'

export const languages: readonly Language[] = [english, german, french, spanish, italian, portuguese, japanese, chinese]

/** A publisher at work: which events it covers, and the wording it covers them with. */
export interface Desk {
  publisher: NewPublisher
  home: Home
  wording: Wording
  abouts: WeightedTable<EventScope>
  events: ReadonlyMap<EventScope, WeightedTable<SampleEvent>>
  covers(event: SampleEvent): boolean
  hasAuthors: boolean
}

export interface Wording {
  language: Language
  tellings: ReadonlyMap<string, { titles: Template[]; leads: Template[]; details: Template[] }>
  onePeer: Template[]
  twoPeers: Template[]
  backgrounds: Partial<Record<EventScope, Template[]>>
  closings: Record<Direction, Template[]>
}

/** How the news divides; about a fifth has no asset. */
const shares: Record<EventScope, number> = {
  company: 0.495,
  deal: 0.06,
  coin: 0.12,
  fund: 0.03,
  index: 0.04,
  pair: 0.03,
  commodity: 0.03,
  economy: 0.15,
  sector: 0.045,
}

const regionsByCountry: Record<string, Region> = {
  GB: 'GB',
  IE: 'EU',
  DE: 'EU',
  AT: 'EU',
  CH: 'EU',
  FR: 'EU',
  BE: 'EU',
  ES: 'EU',
  IT: 'EU',
  PT: 'EU',
  JP: 'JP',
  CN: 'CN',
  HK: 'CN',
  TW: 'CN',
}

export const deskTable: WeightedTable<Desk> = createDesks()

export function pickEvent(random: Random, desk: Desk): SampleEvent {
  const table = desk.events.get(random.weighted(desk.abouts))
  if (table === undefined) throw new Error(`${desk.publisher.name} covers nothing`)
  return random.weighted(table)
}

function createDesks(): WeightedTable<Desk> {
  const wordings = new Map(languages.map((language) => [language.code, createWording(language)]))
  const desks = samplePublishers.map((publisher) => {
    const wording = wordings.get(publisher.language ?? '')
    if (wording === undefined) throw new Error(`No wording for the language of ${publisher.name}`)
    return createDesk(publisher, wording)
  })
  return zipfTable(desks, 0.7)
}

function createDesk(publisher: NewPublisher, wording: Wording): Desk {
  const isRegulator = publisher.type === 'regulator'
  const covers = (event: SampleEvent) => wording.tellings.has(event.kind) && (!isRegulator || event.official === true)
  const covered = sampleEvents.filter(covers)
  const abouts = [...new Set(covered.map((event) => event.about))]
  return {
    publisher,
    home: homeOf(publisher.countryCode ?? ''),
    wording,
    abouts: weightedTable(abouts, (about) => shares[about]),
    events: new Map(
      abouts.map((about) => [
        about,
        weightedTable(
          covered.filter((event) => event.about === about),
          (event) => event.weight,
        ),
      ]),
    ),
    covers,
    hasAuthors: !isRegulator && publisher.type !== 'press_release',
  }
}

function createWording(language: Language): Wording {
  const compile = (texts: readonly string[]) => texts.map((text) => compileTemplate(text, language))
  const backgrounds: Wording['backgrounds'] = {}
  for (const event of sampleEvents) backgrounds[event.about] ??= compile(language.backgrounds[event.about] ?? [])
  return {
    language,
    tellings: new Map(
      Object.entries(language.tellings).map(([kind, { titles, leads, details }]) => [
        kind,
        { titles: compile(titles), leads: compile(leads), details: compile(details) },
      ]),
    ),
    onePeer: compile(language.onePeer),
    twoPeers: compile(language.twoPeers),
    backgrounds,
    closings: {
      positive: compile(language.closings.positive),
      negative: compile(language.closings.negative),
      neutral: compile(language.closings.neutral),
    },
  }
}

function homeOf(countryCode: string): Home {
  return {
    region: regionsByCountry[countryCode] ?? 'US',
    equities: localTable('equity', countryCode),
    indices: localTable('index', countryCode),
  }
}

function localTable(type: NewAsset['type'], countryCode: string): WeightedTable<NewAsset> | null {
  const local = assetsByPopularity(type).filter((asset) => asset.countryCode === countryCode)
  return local.length === 0 ? null : zipfTable(local)
}
