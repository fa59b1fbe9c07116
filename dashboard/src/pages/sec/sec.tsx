import { ENDPOINTS } from 'mintick:reference'
import { useRoute } from 'preact-iso'
import { usePaidQuery } from '../../api/paid-query.ts'
import { useAddress } from '../../ui/address.ts'
import { type List, ListForm, ListResult, useList } from '../../ui/list-view.tsx'
import { nameOf } from '../../ui/names.ts'
import { Page } from '../../ui/page.tsx'
import { PaidPart } from '../../ui/paid-part.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type SecRecord, type SecResource, slugs } from './datasets.ts'
import { RecordFacts } from './record-facts.tsx'
import { RecordTable } from './record-table.tsx'

const USUAL = [
  'search',
  'ticker',
  'formType',
  'ownerName',
  'transactionType',
  'managerName',
  'filedAfter',
  'asOf',
  'sortBy',
]

/** Records of filings at the SEC, a dataset at a time. */
export default function Sec() {
  const { params } = useRoute()
  const dataset = slugs.find((slug) => slug === params.id) ?? slugs[0]
  return (
    <Page
      title="SEC filings"
      lede="Records from filings at the SEC, also as they were known at a time of the past (As of)."
    >
      <nav class="tabs scrolled" aria-label="Datasets">
        {slugs.map((slug) => (
          <a key={slug} href={`/dashboard/sec/${slug}`} aria-current={slug === dataset ? 'page' : undefined}>
            {nameOf(slug)}
          </a>
        ))}
      </nav>
      <Dataset key={dataset} dataset={dataset} />
    </Page>
  )
}

function Dataset({ dataset }: { dataset: (typeof slugs)[number] }) {
  const { values, linkTo } = useAddress()
  const path = `/sec/${dataset}`
  const resource = dataset.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as SecResource
  const list: List<SecRecord> = useList({ method: `sec.${resource}.list` as const, path })
  const known = ENDPOINTS[path]?.parameters.map(({ name }) => name) ?? []
  const { open } = values
  return (
    <>
      <ListForm of={list} usual={USUAL.filter((name) => known.includes(name))} />
      <ListResult of={list} openId={open} none="No record matches.">
        {(records) => <RecordTable dataset={dataset} records={records} linkTo={(id) => linkTo({ open: id })} />}
      </ListResult>
      {open !== undefined && (
        <RecordPanel
          key={open}
          {...{ dataset, resource }}
          id={open}
          listed={list.paid.query.data?.data.find(({ id }) => id === open)}
          asOf={values.asOf}
          closeTo={linkTo({ open: undefined })}
        />
      )}
    </>
  )
}

interface RecordPanelProps {
  dataset: string
  resource: SecResource
  id: string
  listed: SecRecord | undefined
  asOf: string | undefined
  closeTo: string
}

function RecordPanel({ dataset, resource, id, listed, asOf, closeTo }: RecordPanelProps) {
  const record = usePaidQuery({
    path: `/sec/${dataset}/${encodeURIComponent(id)}`,
    method: `sec.${resource}.get` as const,
    args: [id],
    params: { asOf },
  })
  const known: SecRecord | undefined = record.query.data ?? listed
  return (
    <Panel title={known === undefined ? 'Record' : `${known.companyName}, form ${known.formType}`} closeTo={closeTo}>
      {known !== undefined && <RecordFacts record={known} />}
      {record.query.data === undefined && (
        <PaidPart title="The whole record" of={record}>
          {() => null}
        </PaidPart>
      )}
    </Panel>
  )
}
