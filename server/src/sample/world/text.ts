import type { Wording } from './desks.ts'
import type { Occurrence } from './occurrence.ts'
import type { Random } from './random.ts'

export interface Text {
  title: string
  /** The first sentence of the content. */
  lead: string
  content: string
}

/** Tells a story once: the same story gives another text each time, with the same facts. */
export function writeText(random: Random, wording: Wording, story: Occurrence): Text {
  const { event } = story
  const telling = wording.tellings.get(event.kind)
  if (telling === undefined) throw new Error(`No ${wording.language.code} wording for ${event.kind}`)
  const title = random.pick(telling.titles)(story)
  const lead = random.pick(telling.leads)(story)

  const { details } = telling
  const closings = wording.closings[event.direction]
  const backgrounds = wording.backgrounds[event.about] ?? []
  const firstDetail = random.int(0, details.length - 1)
  const firstClosing = random.int(0, closings.length - 1)
  const queue = [details[firstDetail]]
  if (event.about !== 'deal' && event.assets === undefined && story.assets.length > 1) {
    queue.push(random.pick(story.assets.length === 2 ? wording.onePeer : wording.twoPeers))
  }
  const mustTell = queue.length
  if (backgrounds.length > 0 && random.chance(0.6)) queue.push(random.pick(backgrounds))
  if (details.length > 1) queue.push(details[(firstDetail + 1) % details.length])
  for (let i = 0; i < closings.length; i++) queue.push(closings[(firstClosing + i) % closings.length])

  const { joiner, contentLength } = wording.language
  let content = lead
  for (let i = 0; i < queue.length && (i < mustTell || content.length < contentLength); i++) {
    const sentence = queue[i]
    if (sentence !== undefined) content += joiner + sentence(story)
  }
  return { title, lead, content }
}
