/** Selects fields of the records in an answer. */
export interface FieldSelection {
  /** Names of the fields, such as `id`; a dot leads into objects and lists of objects, such as `publisher.name`. */
  fields: string | readonly string[]
}

/** A record of which some fields are selected. */
export type Selected<T> = T extends readonly (infer Item)[]
  ? Selected<Item>[]
  : T extends object
    ? { [Name in keyof T]?: Selected<T[Name]> }
    : T
