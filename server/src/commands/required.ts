import { OperatorError } from '../config.ts'

/** Returns an argument of a command. `what` names it to an operator who left it out. */
export function required(value: string | undefined, what: string): string {
  if (value === undefined) throw new OperatorError(`this command needs ${what}; see "mintick help"`)
  return value
}
