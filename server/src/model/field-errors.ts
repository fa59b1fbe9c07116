import type { FieldError } from './errors.ts'

/** As the validator of a schema tells them. */
interface SchemaError {
  keyword: string
  instancePath: string
  params: object
  message: string
}

/** What is wrong, in words that follow the name of the field; one for each field. */
export function fieldErrors(errors: readonly SchemaError[]): FieldError[] {
  return firstPerField(errors.flatMap(inWords))
}

/** A field that matches none of its alternatives fails once for each of them. */
function firstPerField(errors: FieldError[]): FieldError[] {
  return errors.filter(({ field }, index) => errors.findIndex((error) => error.field === field) === index)
}

/** What the validator says in its own terms. */
const MESSAGES: Record<string, string> = {
  boolean: 'is not a known field',
  minLength: 'must not be empty',
  pattern: 'is not of the right form',
}

function inWords(error: SchemaError): FieldError[] {
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'required' && 'requiredProperties' in error.params) {
    const missing = error.params.requiredProperties as string[]
    return missing.map((name) => ({ field: field === '' ? name : `${field}.${name}`, message: 'is required' }))
  }
  if (error.keyword === 'enum' && 'allowedValues' in error.params) {
    return [{ field, message: `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}` }]
  }
  // Said of the field itself by the next error.
  if (error.keyword === 'additionalProperties') return []
  return [{ field: field || 'body', message: MESSAGES[error.keyword] ?? error.message }]
}
