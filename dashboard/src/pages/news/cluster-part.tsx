import { usePaidQuery } from '../../api/paid-query.ts'
import { addressOf } from '../../ui/address.ts'
import { Bars } from '../../ui/bars.tsx'
import { formatNumber } from '../../ui/format.ts'
import { PaidPart } from '../../ui/paid-part.tsx'
import { EntryList } from './entry-list.tsx'

/** The entries of an event, over time and by headline. */
export function ClusterPart({ id }: { id: string }) {
  const cluster = usePaidQuery({ path: `/clusters/${encodeURIComponent(id)}`, method: 'clusters.get', args: [id] })
  return (
    <PaidPart title="Others about the same event" of={cluster}>
      {({ entries, timeline, publisherCount, entryCount }) => (
        <>
          <p class="quiet small">
            {formatNumber(entryCount)} entries of {formatNumber(publisherCount)} publishers
          </p>
          {timeline.length > 1 && <Bars of={timeline} label="Entries over time" />}
          <EntryList entries={entries} linkTo={(entryId) => addressOf('/dashboard/news', { open: entryId })} />
        </>
      )}
    </PaidPart>
  )
}
