const FULL = /^(?:ENOSPC|EDQUOT)\b|database or disk is full/
const FORBIDDEN = /^(?:EACCES|EPERM|EROFS)\b|unable to open database file|attempt to write a readonly database/

/** Returns the problem of a folder that an error of Node or SQLite reports, in words; undefined if it is another error. */
export function diskProblem(folder: string, error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : ''
  if (FULL.test(message)) return `the disk of ${folder} is full; free space there`
  if (FORBIDDEN.test(message))
    return `this user may not write to ${folder}: check the owner and the permissions of the folder and its files`
  return undefined
}
