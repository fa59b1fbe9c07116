import { german } from './de.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import { italian } from './it.ts'
import { japanese } from './ja.ts'
import { portuguese } from './pt.ts'
import { LanguageReader } from './reader.ts'
import { chinese } from './zh.ts'

/** Readers of the languages whose tone and topics are known besides English, by ISO 639-1 code. */
export const READERS: ReadonlyMap<string, LanguageReader> = new Map([
  ['de', new LanguageReader(german, 'compounds')],
  ['fr', new LanguageReader(french, 'words')],
  ['es', new LanguageReader(spanish, 'words')],
  ['it', new LanguageReader(italian, 'words')],
  ['pt', new LanguageReader(portuguese, 'words')],
  ['ja', new LanguageReader(japanese, 'characters')],
  ['zh', new LanguageReader(chinese, 'characters')],
])
