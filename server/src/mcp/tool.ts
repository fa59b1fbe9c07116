import Type, { type Static, type TObject } from 'typebox'
import type { ApiAnswer, ApiRequest } from './api.ts'
import { pathPart } from './item-id.ts'
import { type Column, listText } from './text.ts'

/** A tool for agents: a request to the API and the text of its answer. */
export interface Tool<Input extends TObject = TObject> {
  name: string
  /** Name for people. */
  title: string
  /** Says what the tool is for, what it costs and what to do next. */
  description: string
  input: Input
  /** Arguments of a typical call. */
  example: Static<Input>
  request(args: Static<Input>, toolset: Toolset): ApiRequest
  render(answer: ApiAnswer, args: Static<Input>): string
  /** The tool to use with the same arguments if the request finds nothing. */
  orElse?: Pick<Tool<Input>, 'request' | 'render'>
}

/** A call that cannot be made; the message says what to change about it. */
export class BadCall extends Error {}

export class UnknownTool extends Error {}

/** Returns an argument as a part of a path. */
export function namedPart(argument: string, text: string): string {
  const part = pathPart(text.trim())
  if (part === undefined) throw new BadCall(`${argument} is not a name that anything can have.`)
  return part
}

/** What a tool knows about the others. */
export interface Toolset {
  /** Returns the path of the request behind a call, or throws what is wrong with it. */
  pathOf(name: string, args: Record<string, unknown>): string
}

/** A tool with its types erased, so that one list holds all. */
export type AnyTool = Omit<Tool, 'example' | 'request' | 'render' | 'orElse'> & {
  example: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: the types were checked at its definition
  request(args: any, toolset: Toolset): ApiRequest
  // biome-ignore lint/suspicious/noExplicitAny: the types were checked at its definition
  render(answer: ApiAnswer, args: any): string
  // biome-ignore lint/suspicious/noExplicitAny: the types were checked at its definition
  orElse?: Pick<Tool<any>, 'request' | 'render'>
}

/** Defines a tool and infers the types of its arguments from their schema. */
export const defineTool = <Input extends TObject>(tool: Tool<Input>): AnyTool => tool

const DEFAULT_ROWS = 10
const MAX_ROWS = 50

export const rows = (maximum = MAX_ROWS) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum, default: DEFAULT_ROWS, description: `Number of rows, at most ${maximum}` }),
  )

export const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description }))

export const choice = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Optional(Type.Enum(values, { description }))

export const number = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum, maximum, description }))

export const asset = (description: string) =>
  text(`${description}, such as AAPL, BTC or EURUSD; several are separated by commas`)
export const from = (description: string) => text(`${description} at this ISO 8601 date or time or later`)
export const to = (description: string) => text(`${description} at this ISO 8601 date or time or earlier`)
export const cursor = () => text('Continues a list: the cursor at the end of its previous part')

/** Returns the number of rows to ask for. */
export const rowsOf = ({ limit = DEFAULT_ROWS }: { limit?: number }): number => limit

interface ListView<Row> {
  /** What the rows are, in the plural. */
  noun: string
  /** What they were asked for by, if it is not plain: `for "x"`. */
  about?: string
  columns: readonly Column<Row>[]
  /** What an agent may do next. */
  next: string
  /** What to try if nothing was found. */
  ifEmpty: string
}

/** Returns the text of an answer with a list. */
export function renderList<Row>({ data, meta, notes }: ApiAnswer, view: ListView<Row>): string {
  const { noun, columns, next, ifEmpty } = view
  const about = view.about === undefined ? '' : ` ${view.about}`
  const rows = data as Row[]
  const { totalCount, sort, plan } = meta
  const cursor = plan === 'demo' ? null : (meta.nextCursor ?? meta.nextPage)
  return listText({
    title:
      rows.length === 0
        ? `No ${noun} found${about}. ${ifEmpty}`
        : `${rows.length} of ${totalCount} ${noun}${about} (${sort})`,
    columns,
    rows,
    foot: (shown) => [
      ...(shown === 0 ? [] : [next]),
      ...(shown < rows.length
        ? [`${rows.length - shown} rows are left out, because the answer would be too long: ask with limit=${shown}.`]
        : cursor == null
          ? []
          : [`More: the same arguments with cursor=${cursor}`]),
      ...notes,
    ],
  })
}
