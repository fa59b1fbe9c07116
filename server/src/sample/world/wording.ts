import { sampleEvents } from './events/catalogue.ts'
import type { Direction, EventScope } from './events/event.ts'
import { german } from './languages/de.ts'
import { english } from './languages/en.ts'
import { spanish } from './languages/es.ts'
import { french } from './languages/fr.ts'
import { italian } from './languages/it.ts'
import { japanese } from './languages/ja.ts'
import type { Language } from './languages/language.ts'
import { portuguese } from './languages/pt.ts'
import { chinese } from './languages/zh.ts'
import { compileTemplate, type Template } from './templates.ts'

export const languages: readonly Language[] = [english, german, french, spanish, italian, portuguese, japanese, chinese]

/** The compiled templates of a language. */
export interface Wording {
  language: Language
  eventTemplates: ReadonlyMap<string, { titles: Template[]; leads: Template[]; details: Template[] }>
  onePeer: Template[]
  twoPeers: Template[]
  backgrounds: Partial<Record<EventScope, Template[]>>
  closings: Record<Direction, Template[]>
}

export function createWording(language: Language): Wording {
  const compile = (texts: readonly string[]) => texts.map((text) => compileTemplate(text, language))
  const backgrounds: Wording['backgrounds'] = {}
  for (const event of sampleEvents) backgrounds[event.about] ??= compile(language.backgrounds[event.about] ?? [])
  return {
    language,
    eventTemplates: new Map(
      Object.entries(language.eventTemplates).map(([kind, { titles, leads, details }]) => [
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
