import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { giveToOwner } from './folder-owner.ts'

/**
 * Replaces the files of a data folder as a whole. The new ones wait in a subfolder, whose name says how far the
 * exchange is, so that a crash at any moment leaves either all old files or an exchange that the next call completes.
 * Everything stays within the folder, which may be a mount point.
 *
 *     incoming-TIME   complete; the old files are moved to before-TIME
 *     arriving-TIME   the old files are gone; the new ones are moved up
 */
const INCOMING = 'incoming-'
const ARRIVING = 'arriving-'
const BEFORE = 'before-'
/** The lock is held during the exchange; file systems create the last one. */
const STAYS = /^(?:mintick\.lock.*|incoming-.*|arriving-.*|before-.*|unpacked|lost\+found)$/

/** The subfolder to collect new files in; until `swapFolder` nothing else looks at it. */
export const unpackedFolder = (folder: string) => join(folder, 'unpacked')

/** Lists the files that a swap would move aside. */
export function listStored(folder: string): string[] {
  return readdirSync(folder).filter((name) => !STAYS.test(name))
}

/** Replaces the files of the folder with those that were unpacked; returns the folder with the old ones, if any. */
export function swapFolder(folder: string, now: number, onStep?: () => void): string | undefined {
  const time = new Date(now).toISOString().replaceAll(':', '-')
  giveToOwner(folder, unpackedFolder(folder))
  syncFolder(unpackedFolder(folder))
  renameSync(unpackedFolder(folder), join(folder, INCOMING + time))
  syncFolder(folder)
  onStep?.()
  return finishSwap(folder, onStep)
}

/** Completes a swap that was interrupted, if there is one. The caller holds the folder's lock. */
export function finishSwap(folder: string, onStep?: () => void): string | undefined {
  let aside: string | undefined
  const timeOf = (prefix: string) =>
    readdirSync(folder)
      .find((name) => name.startsWith(prefix))
      ?.slice(prefix.length)
  const incoming = timeOf(INCOMING)
  if (incoming !== undefined) {
    const old = listStored(folder)
    const before = join(folder, BEFORE + incoming)
    if (old.length > 0) {
      mkdirSync(before, { recursive: true, mode: 0o700 })
      giveToOwner(folder, before)
    }
    moveAll(old, folder, before, onStep)
    renameSync(join(folder, INCOMING + incoming), join(folder, ARRIVING + incoming))
    syncFolder(folder)
    onStep?.()
  }
  const arriving = timeOf(ARRIVING)
  if (arriving !== undefined) {
    const from = join(folder, ARRIVING + arriving)
    moveAll(readdirSync(from), from, folder, onStep)
    rmdirSync(from)
    syncFolder(folder)
    aside = readdirSync(folder).find((name) => name === BEFORE + arriving)
  }
  return aside === undefined ? undefined : join(folder, aside)
}

function moveAll(names: readonly string[], from: string, to: string, onStep?: () => void): void {
  for (const name of names) {
    renameSync(join(from, name), join(to, name))
    onStep?.()
  }
  if (names.length > 0) for (const folder of [to, from]) syncFolder(folder)
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
