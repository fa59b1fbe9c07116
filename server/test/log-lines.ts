import { pino } from 'pino'
import type { TestService } from './harness.ts'

export interface LogLine {
  msg: string
  /** How often it happened so far. */
  failures: number
  address?: string
  err?: { message: string }
}

/** Returns the list to which a service, once started, adds its warnings and errors. */
export function logLinesOf(service: TestService): LogLine[] {
  const lines: LogLine[] = []
  service.log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return lines
}
