import Type, { type TSchema } from 'typebox'

/** Building blocks of schemas. The description is for callers: openapi.json and the reference show it. */

export const text = (description: string) => Type.String({ description })

/** A secret, shown once and not stored: answers to repeated requests omit it. */
export const secret = (description: string) => Type.String({ description, format: SECRET_FORMAT })

export const SECRET_FORMAT = 'password'

export const texts = (description: string) => Type.Array(Type.String(), { description })

export const flag = (description: string) => Type.Boolean({ description })

export const number = (description: string) => Type.Number({ description })

export const integer = (description: string) => Type.Integer({ description })

/** An integer of at least 0. */
export const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A number from 0 to 1. */
export const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

/** A number from -1 to 1. */
export const score = (description: string) => Type.Number({ minimum: -1, maximum: 1, description })

export const id = (description: string) => Type.String({ format: 'uuid', description })

export const ids = (description: string) => Type.Array(Type.String({ format: 'uuid' }), { description })

export const time = (description: string) => Type.String({ format: 'date-time', description })

/** A calendar day such as 2026-01-31. */
export const day = (description: string) => Type.String({ format: 'date', description })

/** A field that is always present, null if unknown. A schema with its own description needs none here. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], { ...(description !== undefined && { description }) })

/** Fields that several resources share. */

export const addedAt = () => time('When this service added it')

export const assetId = () => id('Id of the asset, which never changes')

export const assetKey = () => text('Key of the asset, such as AAPL')

export const countryCode = (whose: string) => text(`ISO 3166 code of ${whose}, two letters such as US; null if unknown`)

/** Times of records that an operator edits. */
export const catalogueTimes = {
  createdAt: addedAt(),
  updatedAt: time('When its own fields last changed; figures from entries do not count'),
}
