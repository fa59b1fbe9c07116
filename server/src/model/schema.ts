import Type, { type TSchema } from 'typebox'

/** Building blocks of response schemas. */

export const id = () => Type.String({ format: 'uuid' })

export const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/** A calendar day such as 2026-01-31. */
export const day = (description?: string) =>
  Type.String({ format: 'date', ...(description !== undefined && { description }) })

/** A field that is always present, null if unknown. */
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A number from 0 to 1. */
export const share = (description?: string) =>
  Type.Number({ minimum: 0, maximum: 1, ...(description !== undefined && { description }) })

/** A number from -1 to 1. */
export const score = (description?: string) =>
  Type.Number({ minimum: -1, maximum: 1, ...(description !== undefined && { description }) })

export const texts = (description?: string) =>
  Type.Array(Type.String(), { ...(description !== undefined && { description }) })
