import { type Html, html } from '../../model/html.ts'
import { meaningOf, nameIn, typeOf } from '../fields-page.ts'
import type { JsonSchema } from '../openapi.ts'
import { inline } from './markdown-html.ts'

type Schemas = Record<string, JsonSchema>

/** Returns the fields of an object as a list; objects within it are lists that open. */
export function fieldList(schema: JsonSchema, schemas: Schemas, isAnswer = true, above: readonly string[] = []): Html {
  const { properties = {}, required = [] } = schema
  return html`<ul class="fields">
${Object.entries(properties).map(([name, field]) => fieldItem(name, field, required.includes(name)))}</ul>\n`

  function fieldItem(name: string, field: JsonSchema, isRequired: boolean): Html {
    // In answers most fields are always there, in bodies most may be left out.
    const note = isAnswer === isRequired ? '' : isAnswer ? 'optional' : 'required'
    const meaning = meaningOf(field) || meaningOf(field.$ref === undefined ? {} : (schemas[nameIn(field.$ref)] ?? {}))
    return html`<li><code class="name">${name}</code> <span class="type">${inline(typeText(field))}</span>${
      note === '' ? '' : html` <span class="note">${note}</span>`
    }${meaning === '' ? '' : html` <span class="meaning">${inline(meaning)}</span>`}
${objectsIn(field, schemas, isAnswer, above)}</li>\n`
  }
}

/** Returns the fields of the objects that a value consists of; nothing for plain values. */
function objectsIn(schema: JsonSchema, schemas: Schemas, isAnswer: boolean, above: readonly string[]): Html[] {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref)
    const target = schemas[name]
    // A recursive schema is shown once.
    return target === undefined || above.includes(name) ? [] : objectsIn(target, schemas, isAnswer, [...above, name])
  }
  const { properties, items, anyOf = [] } = schema
  if (properties !== undefined) {
    const count = Object.keys(properties).length
    return [
      html`<details><summary>${count} ${count === 1 ? 'field' : 'fields'}${variantOf(properties)}</summary>
${fieldList(schema, schemas, isAnswer, above)}</details>`,
    ]
  }
  return [...(items === undefined ? [] : [items]), ...anyOf].flatMap((part) =>
    objectsIn(part, schemas, isAnswer, above),
  )
}

/** Returns the fields of the data of an answer, or of each kind of event of a stream. */
export function answerFields(schema: JsonSchema, schemas: Schemas): Html[] {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref)
    return answerFieldsOf(schemas[name] ?? {}, schemas, [name])
  }
  return schema.items === undefined ? answerFieldsOf(schema, schemas, []) : answerFields(schema.items, schemas)
}

function answerFieldsOf(schema: JsonSchema, schemas: Schemas, above: readonly string[]): Html[] {
  if (schema.properties !== undefined) return [fieldList(schema, schemas, true, above)]
  return objectsIn(schema, schemas, true, above)
}

/** Returns the constant that tells an object from its alternatives, such as the name of an event. */
function variantOf(properties: Record<string, JsonSchema>): Html | string {
  const value = Object.values(properties).find((field) => field.const !== undefined)?.const
  return typeof value === 'string' ? html` of <code>${value}</code>` : ''
}

/** Returns a type in Markdown, with the names of objects in plain words. */
export const typeText = (schema: JsonSchema): string => typeOf(schema, (name) => name)
