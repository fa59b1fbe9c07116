import Type from 'typebox'
import { HTML_ANSWER, type HtmlDocument } from '../../http/html-page.ts'
import { ApiError } from '../../model/errors.ts'
import { text } from '../../model/schema.ts'
import { endpoint } from '../services.ts'
import { dashboardFiles } from './files.ts'

const page = { method: 'GET', access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const

const PATHS = {
  '/dashboard': {},
  '/dashboard/:page': { page: text('Name of the page') },
  '/dashboard/:page/:id': { page: text('Name of the page'), id: text('Id of what it shows') },
} as const

/** The dashboard: one document, whose script shows the page of the address, and the files that it loads. */
export const dashboardPages = [
  ...Object.entries(PATHS).map(([path, params]) =>
    endpoint({
      ...page,
      path: path as keyof typeof PATHS,
      summary: 'Use the dashboard',
      params: Type.Object(params),
      handle: indexDocument,
    }),
  ),
  endpoint({
    ...page,
    path: '/dashboard/files/:name',
    summary: 'Get a file of the dashboard',
    params: Type.Object({ name: text('Name of the file') }),
    async handle({ params }) {
      const file = (await dashboardFiles())?.named.get(params.name)
      if (file === undefined) throw new ApiError('NOT_FOUND', 'The dashboard has no such file')
      return file
    },
  }),
]

async function indexDocument(): Promise<HtmlDocument> {
  const files = await dashboardFiles()
  if (files !== undefined) return files.index
  throw new ApiError('INTERNAL_ERROR', 'The dashboard is not built; "npm run build" builds it', { statusCode: 503 })
}
