import type { FoundAsset } from '../../src/enrich/mentions/asset.ts'
import type { EntryText } from '../../src/enrich/text.ts'

/** A text and the assets it is about. */
export interface LabelledText extends EntryText {
  assetKeys: readonly string[]
}

interface MentionScores {
  precision: number
  recall: number
  /** Texts with missed or wrongly found assets. */
  mistakes: { title: string; missed: string[]; extra: string[] }[]
}

/** Scores found assets against the labels. Each asset counts once per text. */
export function measureMentions(
  rows: readonly LabelledText[],
  find: (text: EntryText) => readonly Pick<FoundAsset, 'assetKey'>[],
): MentionScores {
  let right = 0
  let found = 0
  let meant = 0
  const mistakes: MentionScores['mistakes'] = []
  for (const row of rows) {
    const keys = new Set(find(row).map((asset) => asset.assetKey))
    const missed = row.assetKeys.filter((key) => !keys.has(key))
    const extra = [...keys].filter((key) => !row.assetKeys.includes(key))
    right += row.assetKeys.length - missed.length
    found += keys.size
    meant += row.assetKeys.length
    if (missed.length + extra.length > 0) mistakes.push({ title: row.title, missed, extra })
  }
  return { precision: found === 0 ? 1 : right / found, recall: meant === 0 ? 1 : right / meant, mistakes }
}
