import Type, { type Static } from 'typebox'
import { count, id, nullable, text, time } from './schema.ts'

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The rows that the cost of a page pays for. */
export const BLOCK_ROWS = 100

/** How an export ends. All but the first leave its file incomplete. */
const EXPORT_ENDS = [
  'complete',
  'disconnected',
  'stalled',
  'credits_exhausted',
  'key_revoked',
  'shutdown',
  'failed',
] as const
export type ExportEnd = (typeof EXPORT_ENDS)[number]

/** `interrupted` is an export whose process ended without writing down how. */
const EXPORT_STATUSES = ['running', ...EXPORT_ENDS, 'interrupted'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

export const ExportView = Type.Object(
  {
    requestId: id('X-Request-Id of the export'),
    dataset: text('Name of the dataset'),
    format: Type.Enum([...EXPORT_FORMATS], { description: 'Format of the file' }),
    status: Type.Enum([...EXPORT_STATUSES], {
      description:
        'complete: every row was sent. disconnected: you closed the connection. stalled: you read nothing for a minute. credits_exhausted: the balance did not cover the next rows. key_revoked: the key stopped working, or may no longer be used so. shutdown, failed and interrupted: the service ended it',
    }),
    rows: count('Rows that were sent'),
    bytes: count('Bytes that were sent'),
    sha256: nullable(
      text('SHA-256 of these bytes in hexadecimal; null until the export has ended, and if interrupted'),
    ),
    credits: count('Credits that it cost'),
    startedAt: time('When it started'),
    endedAt: nullable(time('When it ended; null while it runs')),
  },
  { description: 'A bulk export' },
)
export type ExportView = Static<typeof ExportView>
