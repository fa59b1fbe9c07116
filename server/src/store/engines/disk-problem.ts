const FULL = /^(?:ENOSPC|EDQUOT)\b|database or disk is full/
const FORBIDDEN = /^(?:EACCES|EPERM|EROFS)\b|unable to open database file|attempt to write a readonly database/

/** SQLITE_IOERR_SHMSIZE: the file beside a store that its readers share cannot grow, for want of space. */
const SHARED_MEMORY_FULL = 4874

/** Returns the problem of a folder that an error of Node or SQLite reports, in words; undefined if it is another error. */
export function diskProblem(folder: string, error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : ''
  const isFull =
    FULL.test(message) || (error instanceof Error && 'errcode' in error && error.errcode === SHARED_MEMORY_FULL)
  if (isFull) return `the disk of ${folder} is full; free space there`
  if (FORBIDDEN.test(message))
    return `this user may not write to ${folder}: check the owner and the permissions of the folder and its files`
  return undefined
}
