import Type, { type TSchema } from 'typebox'

/** Building blocks of answer schemas. */

export const id = () => Type.String({ format: 'uuid' })

export const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/** Always there, null when unknown. */
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
