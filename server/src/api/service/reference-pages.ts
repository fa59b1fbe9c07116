import Type from 'typebox'
import { HTML_ANSWER, type HtmlDocument } from '../../http/html-page.ts'
import { ApiError } from '../../model/errors.ts'
import { text } from '../../model/schema.ts'
import { endpoint, type Services } from '../services.ts'

const page = { method: 'GET', access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const
const Name = Type.Object({ name: text('Name of the page or file') })

/** The reference for people, and /llms.txt for their programs. */
export const referencePages = [
  endpoint({
    ...page,
    path: '/docs',
    summary: 'Read the reference',
    handle: (_input, services) => documentAt('/docs', services),
  }),
  endpoint({
    ...page,
    path: '/docs/:name',
    summary: 'Read a page of the reference',
    params: Name,
    handle: ({ params }, services) => documentAt(`/docs/${params.name}`, services),
  }),
  endpoint({
    ...page,
    path: '/docs/guides/:name',
    summary: 'Read a guide',
    params: Name,
    handle: ({ params }, services) => documentAt(`/docs/guides/${params.name}`, services),
  }),
  endpoint({
    ...page,
    path: '/llms.txt',
    summary: 'Read what a language model needs to call this API',
    handle: (_input, services) => documentAt('/llms.txt', services),
  }),
]

async function documentAt(path: string, { reference }: Services): Promise<HtmlDocument> {
  const found = await reference(path)
  if (found === undefined)
    throw new ApiError('NOT_FOUND', 'The reference has no such page; /docs has its table of contents')
  return found
}
