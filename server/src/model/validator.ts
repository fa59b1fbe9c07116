import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'

const load = createRequire(import.meta.url)

/**
 * Returns a function that returns the validator of a schema. The first call compiles it, and loads the compiler: that takes a
 * tenth of a second, which no start should wait for.
 */
export function validatorOf<const Schema extends TSchema>(schema: Schema) {
  const compile = () => {
    const { Compile }: typeof import('typebox/compile') = load('typebox/compile')
    return Compile(schema)
  }
  let compiled: ReturnType<typeof compile> | undefined
  return () => {
    compiled ??= compile()
    return compiled
  }
}
