import type { Occurrence } from './occurrence.ts'
import type { Random } from './random.ts'
import type { Wording } from './wording.ts'

interface EntryText {
  title: string
  /** The first sentence of the content. */
  lead: string
  content: string
}

/** Writes a report of the occurrence: each call words the same facts differently. */
export function writeEntryText(random: Random, wording: Wording, occurrence: Occurrence): EntryText {
  const { event } = occurrence
  const templates = wording.eventTemplates.get(event.kind)
  if (templates === undefined) throw new Error(`No ${wording.language.code} templates for ${event.kind}`)
  const title = random.pick(templates.titles)(occurrence)
  const lead = random.pick(templates.leads)(occurrence)

  const { details } = templates
  const closings = wording.closings[event.direction]
  const backgrounds = wording.backgrounds[event.about] ?? []
  const firstDetail = random.int(0, details.length - 1)
  const firstClosing = random.int(0, closings.length - 1)
  const queue = [details[firstDetail]]
  if (event.about !== 'deal' && event.assets === undefined && occurrence.assets.length > 1) {
    queue.push(random.pick(occurrence.assets.length === 2 ? wording.onePeer : wording.twoPeers))
  }
  const required = queue.length
  if (backgrounds.length > 0 && random.chance(0.6)) queue.push(random.pick(backgrounds))
  if (details.length > 1) queue.push(details[(firstDetail + 1) % details.length])
  for (let i = 0; i < closings.length; i++) queue.push(closings[(firstClosing + i) % closings.length])

  const { joiner, contentLength } = wording.language
  let content = lead
  for (let i = 0; i < queue.length && (i < required || content.length < contentLength); i++) {
    const sentence = queue[i]
    if (sentence !== undefined) content += joiner + sentence(occurrence)
  }
  return { title, lead, content }
}
