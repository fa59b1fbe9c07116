import type { NewAsset } from '../../model/assets.ts'
import type { NewPublisher } from '../../model/publishers.ts'
import { sampleEvents } from './events/catalogue.ts'
import type { EventScope, SampleEvent } from './events/event.ts'
import type { Region } from './languages/language.ts'
import type { Home } from './occurrence.ts'
import { assetsByPopularity } from './popularity.ts'
import { samplePublishers } from './publishers.ts'
import { type Random, type WeightedTable, weightedTable, zipfTable } from './random.ts'
import { createWording, languages, type Wording } from './wording.ts'

/** A publisher with the events it covers and the language it writes in. */
export interface Newsroom {
  publisher: NewPublisher
  home: Home
  wording: Wording
  scopes: WeightedTable<EventScope>
  events: ReadonlyMap<EventScope, WeightedTable<SampleEvent>>
  covers(event: SampleEvent): boolean
  hasAuthors: boolean
}

/** Shares of the news; about a fifth of it names no asset. */
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

/** Weighted by popularity. */
export const newsrooms: WeightedTable<Newsroom> = createNewsrooms()

export function pickEvent(random: Random, newsroom: Newsroom): SampleEvent {
  const table = newsroom.events.get(random.weighted(newsroom.scopes))
  if (table === undefined) throw new Error(`${newsroom.publisher.name} covers no event`)
  return random.weighted(table)
}

function createNewsrooms(): WeightedTable<Newsroom> {
  const wordings = new Map(languages.map((language) => [language.code, createWording(language)]))
  const all = samplePublishers.map((publisher) => {
    const wording = wordings.get(publisher.language ?? '')
    if (wording === undefined) throw new Error(`No wording for the language of ${publisher.name}`)
    return createNewsroom(publisher, wording)
  })
  return zipfTable(all, 0.7)
}

function createNewsroom(publisher: NewPublisher, wording: Wording): Newsroom {
  const isRegulator = publisher.type === 'regulator'
  const covers = (event: SampleEvent) =>
    wording.eventTemplates.has(event.kind) && (!isRegulator || event.official === true)
  const covered = sampleEvents.filter(covers)
  const scopes = [...new Set(covered.map((event) => event.about))]
  return {
    publisher,
    home: homeOf(publisher.countryCode ?? ''),
    wording,
    scopes: weightedTable(scopes, (scope) => shares[scope]),
    events: new Map(
      scopes.map((scope) => [
        scope,
        weightedTable(
          covered.filter((event) => event.about === scope),
          (event) => event.weight,
        ),
      ]),
    ),
    covers,
    hasAuthors: !isRegulator && publisher.type !== 'press_release',
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
