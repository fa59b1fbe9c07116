import type { FieldError } from './errors.ts'

/** An error of the schema validator. */
interface SchemaError {
  keyword: string
  instancePath: string
  params: object
  message: string
}

/** Returns one error per invalid field, with a message that follows the name of the field. */
export function fieldErrors(errors: readonly SchemaError[]): FieldError[] {
  return firstPerField(errors.filter((error) => !isLessExact(error, errors)).flatMap(toFieldErrors))
}

/** Whether the error only says that a field could be null as well, while another one says what is wrong within it. */
function isLessExact({ keyword, params, instancePath }: SchemaError, all: readonly SchemaError[]): boolean {
  const isAlternative = keyword === 'anyOf' || (keyword === 'type' && 'type' in params && params.type === 'null')
  return isAlternative && all.some((other) => other.instancePath.startsWith(`${instancePath}/`))
}

/** A field that matches none of its alternatives has an error for each of them. */
function firstPerField(errors: FieldError[]): FieldError[] {
  return errors.filter(({ field }, index) => errors.findIndex((error) => error.field === field) === index)
}

/** Messages for keywords whose own message is too technical. */
const MESSAGES: Record<string, string> = {
  boolean: 'is not a known field',
  minLength: 'must not be empty',
  pattern: 'has the wrong format',
}

function toFieldErrors(error: SchemaError): FieldError[] {
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'required' && 'requiredProperties' in error.params) {
    const missing = error.params.requiredProperties as string[]
    return missing.map((name) => ({ field: field === '' ? name : `${field}.${name}`, message: 'is required' }))
  }
  if (error.keyword === 'enum' && 'allowedValues' in error.params) {
    return [{ field, message: `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}` }]
  }
  // The next error is about the unknown field itself.
  if (error.keyword === 'additionalProperties') return []
  return [{ field: field || 'body', message: MESSAGES[error.keyword] ?? error.message }]
}
