import Type, { type Static } from 'typebox'
import * as param from '../../http/params.ts'
import type { AuditRecord } from '../../model/operators.ts'
import { id, nullable, text, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { endpoint } from '../services.ts'
import { operator } from './operator.ts'

const AuditRecordView = Type.Object(
  {
    requestId: id('Id of the request, as in X-Request-Id'),
    token: text('Name of the token; admin-token is the one in DATA_DIR or ADMIN_TOKEN'),
    method: text('HTTP method'),
    route: text('Method and path pattern, such as POST /admin/accounts/:id/credits'),
    target: nullable(
      text('Id of the account, source or entry, or name of the token; null if the request concerns none'),
    ),
    summary: nullable(
      text('The input in short, without secrets and personal data; null if there is none or it was refused'),
    ),
    statusCode: nullable(
      Type.Integer({ description: 'HTTP status of the answer; null if the request was interrupted' }),
    ),
    createdAt: time('When the request arrived'),
  },
  { description: 'A request of an operator' },
)

export const auditTrailEndpoint = endpoint({
  ...operator('read'),
  method: 'GET',
  path: '/admin/audit-trail',
  summary: 'List what operators did, newest first',
  description:
    'Requests with a valid admin token, also refused ones. Successful GET requests are left out, except exports of accounts. Nothing can change or remove a record.',
  query: Type.Object({
    limit: param.limit(),
    offset: param.offset(),
    token: param.slug('Name of the token'),
    target: param.slug('Id of an account, source or entry, or name of a token'),
    createdAfter: param.instant('Only requests at or after this time'),
    createdBefore: param.instant('Only requests at or before this time'),
  }),
  returns: 'offset-list',
  data: AuditRecordView,
  async handle({ query, page }, { store }) {
    const { data, totalCount } = await store.auditTrail.page(param.filtersOf(query), page.limit, page.offset)
    return { data: data.map(toView), totalCount }
  },
})

function toView({ createdAt, ...record }: AuditRecord): Static<typeof AuditRecordView> {
  return { ...record, createdAt: isoTime(createdAt) }
}
