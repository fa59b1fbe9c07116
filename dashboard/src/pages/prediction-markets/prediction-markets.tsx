import { useAddress } from '../../ui/address.ts'
import { ListForm, ListResult, useList } from '../../ui/list-view.tsx'
import { Page } from '../../ui/page.tsx'
import { MarketPanel } from './market-panel.tsx'
import { MarketTable } from './market-table.tsx'

const USUAL = ['search', 'venue', 'status', 'ticker', 'topicSlug', 'probabilityMin', 'volumeMin', 'sortBy']

/** Markets on the outcome of events. */
export default function PredictionMarkets() {
  const { values, linkTo } = useAddress()
  const list = useList({ method: 'predictionMarkets.list', path: '/prediction-markets' })
  const { open } = values
  return (
    <Page title="Prediction markets" lede="Questions that people trade on, with the odds that their prices imply.">
      <ListForm of={list} usual={USUAL} />
      <ListResult of={list} openId={open} none="No prediction market matches.">
        {(markets) => <MarketTable markets={markets} linkTo={(id) => linkTo({ open: id })} />}
      </ListResult>
      {open !== undefined && (
        <MarketPanel
          key={open}
          id={open}
          listed={list.paid.query.data?.data.find(({ id }) => id === open)}
          closeTo={linkTo({ open: undefined })}
        />
      )}
    </Page>
  )
}
