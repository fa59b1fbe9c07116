import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'

const load = createRequire(import.meta.url)

/**
 * Returns a getter of the schema's validator. The first call compiles the schema. The first of all also loads the compiler,
 * which takes a tenth of a second: the start should not wait for it.
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
