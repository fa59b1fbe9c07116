import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** Returns a getter of the schema's validator. The first call compiles the schema, so that no start waits for it. */
export function validatorOf<const Schema extends TSchema>(schema: Schema) {
  const compile = () => Compile(schema)
  let compiled: ReturnType<typeof compile> | undefined
  return () => {
    compiled ??= compile()
    return compiled
  }
}
