import { Assets, Outside } from '../../ui/market-data.tsx'
import { nameOf } from '../../ui/names.ts'
import { Badge } from '../../ui/page.tsx'
import type { SecRecord } from './datasets.ts'
import { Value } from './value.tsx'

const SHOWN_ABOVE = [
  'id',
  'companyName',
  'formType',
  'filingUrl',
  'assetKey',
  'assetId',
  'isAmendment',
  'supersededById',
]

/** All fields of a record. */
export function RecordFacts({ record }: { record: SecRecord }) {
  const { filingUrl, assetKey, isAmendment, supersededById } = record
  return (
    <>
      <p class="actions">
        {assetKey !== null && <Assets keys={[assetKey]} />}
        {isAmendment && <Badge tone="accent">amendment</Badge>}
        {supersededById !== null && <Badge tone="warn">replaced by an amendment</Badge>}
        <Outside href={filingUrl}>Read it at the SEC</Outside>
      </p>
      <dl class="facts">
        {Object.entries(record)
          .filter(([field, value]) => hasValue(value) && !SHOWN_ABOVE.includes(field))
          .flatMap(([field, value]) => [
            <dt key={field}>{nameOf(field)}</dt>,
            <dd key={`${field} value`}>
              <Value of={value} field={field} />
            </dd>,
          ])}
      </dl>
    </>
  )
}

/** Whether there is something to show: a group or list may be empty. */
function hasValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null
  return Object.values(value).some(hasValue)
}
