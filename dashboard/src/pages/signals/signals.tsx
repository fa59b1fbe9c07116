import { useAddress } from '../../ui/address.ts'
import { ListForm, ListResult, useList } from '../../ui/list-view.tsx'
import { Page } from '../../ui/page.tsx'
import { Kinds } from './kinds.tsx'
import { Live } from './live.tsx'
import { SignalList } from './signal-list.tsx'
import { SignalPanel } from './signal-panel.tsx'

const USUAL = ['kind', 'direction', 'ticker', 'strengthMin', 'confidenceMin', 'status', 'generatedAfter', 'sortBy']

/** Signals about assets: a list of past ones and a live stream. */
export default function Signals() {
  const { values, linkTo } = useAddress()
  const list = useList({ method: 'signals.list', path: '/signals' })
  const { open } = values
  const link = (id: string) => linkTo({ open: id })
  return (
    <Page
      title="Signals"
      lede="Findings about assets, each with its evidence and, once its time has passed, its result."
    >
      <ListForm of={list} usual={USUAL} />
      <Live filters={list.given} linkTo={link} />
      <Kinds />
      <ListResult of={list} openId={open} none="No signal matches.">
        {(signals) => <SignalList signals={signals} linkTo={link} />}
      </ListResult>
      {open !== undefined && (
        <SignalPanel
          key={open}
          id={open}
          listed={list.paid.query.data?.data.find(({ id }) => id === open)}
          closeTo={linkTo({ open: undefined })}
        />
      )}
    </Page>
  )
}
