import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'

const load = createRequire(import.meta.url)

/** Loads the compiler of schemas, which takes a tenth of a second, unless it is loaded. */
export const loadCompiler = (): typeof import('typebox/compile') => load('typebox/compile')

/**
 * Returns a getter of the schema's validator. The first call compiles the schema: the start should not wait for it, nor for the
 * compiler.
 */
export function validatorOf<const Schema extends TSchema>(schema: Schema) {
  const compile = () => loadCompiler().Compile(schema)
  let compiled: ReturnType<typeof compile> | undefined
  return () => {
    compiled ??= compile()
    return compiled
  }
}
