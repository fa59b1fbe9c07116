import { ENDPOINTS } from 'mintick:reference'
import { usePaidQuery } from '../../api/paid-query.ts'
import { useAddress } from '../../ui/address.ts'
import { Bars } from '../../ui/bars.tsx'
import { typedValues } from '../../ui/filters.tsx'
import { ListForm, ListResult, useList } from '../../ui/list-view.tsx'
import { Card } from '../../ui/page.tsx'
import { PaidPart } from '../../ui/paid-part.tsx'
import { EntryList } from './entry-list.tsx'
import { EntryPanel } from './entry-panel.tsx'

const USUAL = ['search', 'query', 'ticker', 'topicSlug', 'language', 'sentimentScoreMin', 'publishedAfter', 'sortBy']

export function Entries() {
  const { values, linkTo } = useAddress()
  const list = useList({ method: 'entries.list', path: '/entries', fixed: { include: 'publisher,cluster' } })
  const { open } = values
  return (
    <>
      <ListForm of={list} usual={USUAL} />
      <Counts filters={list.given} />
      <ListResult of={list} openId={open} none="No entry matches.">
        {(entries) => <EntryList entries={entries} linkTo={(id) => linkTo({ open: id })} />}
      </ListResult>
      {open !== undefined && (
        <EntryPanel
          key={open}
          id={open}
          listed={list.paid.query.data?.data.find(({ id }) => id === open)}
          closeTo={linkTo({ open: undefined })}
        />
      )}
    </>
  )
}

/** Entries over time with the same filters; a search by meaning has no counts. */
function Counts({ filters }: { filters: Readonly<Record<string, string>> }) {
  const parameters = ENDPOINTS['/entries/counts']?.parameters ?? []
  const counted = Object.entries(filters).filter(([name]) => parameters.some((parameter) => parameter.name === name))
  const counts = usePaidQuery({
    path: '/entries/counts',
    method: 'entries.counts',
    kind: 'list',
    params: typedValues(parameters, Object.fromEntries(counted)),
  })
  if (filters.query !== undefined) return null
  return (
    <Card class="slim">
      <PaidPart title="Entries per day" of={counts}>
        {({ data }) => <Bars of={data} label="Entries per day" />}
      </PaidPart>
    </Card>
  )
}
