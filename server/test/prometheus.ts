import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const OPS = join(import.meta.dirname, '../../ops')

export const hasPrometheus = () => spawnSync('promtool', ['--version']).error === undefined

/** Runs Prometheus' own checker and returns its exit status and output. */
export function promtool(args: readonly string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8', cwd: OPS })
  return { status, output: stdout + stderr }
}
