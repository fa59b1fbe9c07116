import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Gives a file or folder, with everything in it, the owner of the data folder. Without this, the service could not open
 * what a command creates as root.
 */
export function giveToOwner(folder: string, path: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  if (uid !== 0) chownAll(path, uid, gid)
}

function chownAll(path: string, uid: number, gid: number): void {
  lchownSync(path, uid, gid)
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) chownAll(join(path, name), uid, gid)
}
