import Type from 'typebox'
import { SEC_DATASETS, type SecDataset, type SecRecords } from '../../model/sec/datasets.ts'
import { itemId } from '../item-id.ts'
import { type Column, LINK_LENGTH, link, minute } from '../text.ts'
import { asset, cursor, defineTool, from, renderList, rows, rowsOf, text, to } from '../tool.ts'

/** The columns of each dataset between the company and the link. */
const COLUMNS: { [Dataset in SecDataset]: readonly Column<SecRecords[Dataset]>[] } = {
  'insider-trades': [
    { name: 'owner', value: ({ ownerName }) => ownerName, maxLength: 60 },
    { name: 'role', value: ({ ownerRole }) => ownerRole, maxLength: 60 },
    { name: 'traded', value: ({ transactionDate }) => transactionDate },
    { name: 'type', value: ({ transactionType }) => transactionType },
    { name: 'shares', value: ({ shares }) => shares },
    { name: 'price', value: ({ pricePerShare }) => pricePerShare },
    { name: 'valueUsd', value: ({ value }) => value },
  ],
  'financial-filings': [
    { name: 'period', value: ({ fiscalYear, fiscalPeriod }) => fiscalYear && `${fiscalYear} ${fiscalPeriod ?? ''}` },
    { name: 'items', value: ({ items }) => items.map(({ code, title }) => `${code} ${title}`) },
    { name: 'currency', value: ({ currency }) => currency },
    { name: 'figures', value: ({ facts }) => figures(facts) },
  ],
  'institutional-holdings': [
    { name: 'manager', value: ({ managerName }) => managerName, maxLength: 60 },
    { name: 'quarter', value: ({ periodOfReport }) => periodOfReport },
    { name: 'shares', value: ({ shares }) => shares },
    { name: 'valueUsd', value: ({ valueUsd }) => valueUsd },
    { name: 'change', value: ({ sharesChange }) => sharesChange },
    { name: 'status', value: ({ positionStatus }) => positionStatus },
    { name: 'option', value: ({ putCall }) => putCall },
  ],
  'beneficial-ownership': [
    { name: 'schedule', value: ({ schedule }) => schedule },
    { name: 'owners', value: ({ reportingPersons }) => reportingPersons.map(({ name }) => name), maxLength: 100 },
    { name: 'percent', value: ({ maxPercentOfClass }) => maxPercentOfClass },
  ],
  'private-placements': [
    { name: 'industry', value: ({ industryGroup }) => industryGroup, maxLength: 60 },
    { name: 'securities', value: ({ securityTypes }) => securityTypes, maxLength: 60 },
    { name: 'offeredUsd', value: ({ totalOfferingAmount }) => totalOfferingAmount },
    { name: 'soldUsd', value: ({ totalAmountSold }) => totalAmountSold },
    { name: 'investors', value: ({ investorCount }) => investorCount },
  ],
  'planned-sales': [
    { name: 'seller', value: ({ sellerName }) => sellerName, maxLength: 60 },
    { name: 'units', value: ({ units }) => units },
    { name: 'valueUsd', value: ({ marketValue }) => marketValue },
    { name: 'planned', value: ({ approxSaleDate }) => approxSaleDate },
  ],
  'material-events': [{ name: 'items', value: ({ items }) => items.map(({ code, title }) => `${code} ${title}`) }],
}

export const searchFilings = defineTool({
  name: 'search_filings',
  title: 'Search SEC filings',
  description:
    'Filings at the SEC, most recently filed first, by dataset: insider-trades (Forms 3, 4, 5), financial-filings (10-K, 10-Q, 8-K with figures), institutional-holdings (13F), beneficial-ownership (stakes above 5 %, 13D and 13G), private-placements (Form D), planned-sales (Form 144), material-events (8-K by item; the default). 2 credits; needs a plan with SEC data. get_item returns the whole record.',
  input: Type.Object(
    {
      dataset: Type.Optional(Type.Enum(SEC_DATASETS, { default: 'material-events', description: 'Kind of filing' })),
      asset: asset('Only filings about the company with this ticker'),
      search: text('Words that must occur, such as the name of the company or the insider'),
      from: from('Filed'),
      to: to('Filed'),
      limit: rows(),
      cursor: cursor(),
    },
    { additionalProperties: false },
  ),
  example: { dataset: 'insider-trades', asset: 'NVDA' },
  request: (args) => ({
    path: `/sec/${datasetOf(args)}`,
    params: {
      ticker: args.asset,
      search: args.search,
      filedAfter: args.from,
      filedBefore: args.to,
      limit: rowsOf(args),
      after: args.cursor,
    },
  }),
  render(answer, args) {
    const dataset = datasetOf(args)
    return renderList<SecRecords[typeof dataset]>(answer, {
      noun: `records of ${dataset}`,
      columns: [
        { name: 'id', value: ({ id }) => itemId(dataset, id) },
        { name: 'filed', value: ({ filedAt }) => minute(filedAt) },
        { name: 'form', value: ({ formType }) => formType },
        { name: 'ticker', value: ({ ticker }) => ticker },
        { name: 'company', value: ({ companyName }) => companyName, maxLength: 60 },
        ...(COLUMNS[dataset] as readonly Column<SecRecords[typeof dataset]>[]),
        { name: 'link', value: ({ filingUrl }) => link(filingUrl), maxLength: LINK_LENGTH },
      ],
      next: 'get_item with an id returns the whole record.',
      ifEmpty: 'Try another dataset, a longer range, or check the ticker with get_asset.',
    })
  },
})

const datasetOf = ({ dataset = 'material-events' }: { dataset?: SecDataset }): SecDataset => dataset

/** Returns the figures of a report that it has, such as revenue=94930000000. */
function figures(facts: object): string[] {
  return Object.entries(facts)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name}=${value}`)
}
