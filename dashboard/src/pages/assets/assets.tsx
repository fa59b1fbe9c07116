import { DataTable } from '../../ui/data-table.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ListForm, ListResult, useList } from '../../ui/list-view.tsx'
import { Assets as AssetLinks, Sentiment } from '../../ui/market-data.tsx'
import { Page } from '../../ui/page.tsx'

const USUAL = ['search', 'type', 'countryCode', 'sector', 'hasEntries', 'sortBy']

/** The assets that the service knows. */
export default function Assets() {
  const list = useList({ method: 'assets.list', path: '/assets' })
  return (
    <Page
      title="Assets"
      lede="Companies, funds, indices, coins, currencies and commodities. Open one for its prices and news."
    >
      <ListForm of={list} usual={USUAL} />
      <ListResult of={list} none="No asset matches.">
        {(assets) => (
          <DataTable
            caption="Assets"
            rows={assets}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Key', cell: ({ key }) => <AssetLinks keys={[key]} /> },
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Type', cell: ({ type, status }) => (status === 'delisted' ? `${type}, delisted` : type) },
              { title: 'Exchange', cell: ({ exchange }) => exchange ?? '–' },
              { title: 'Sector', cell: ({ sector }) => sector ?? '–' },
              { title: 'Entries, 24 h', isNumber: true, cell: ({ entryCount24h }) => formatNumber(entryCount24h) },
              { title: 'Entries, 7 days', isNumber: true, cell: ({ entryCount7d }) => formatNumber(entryCount7d) },
              {
                title: 'Sentiment, 24 h',
                isNumber: true,
                cell: ({ sentimentScore24h }) => <Sentiment score={sentimentScore24h} />,
              },
            ]}
          />
        )}
      </ListResult>
    </Page>
  )
}
