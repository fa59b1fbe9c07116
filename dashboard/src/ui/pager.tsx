import { useAddress } from './address.ts'
import { formatNumber } from './format.ts'

interface PagerProps {
  /** The plural name of the items, such as "accounts". */
  name: string
  count: number
  /** Texts of the links to the rows before and after. */
  words?: readonly [string, string]
  /** Parameter of the address that names the open row, which is not on the other pages. */
  opens?: string
  meta: { offset: number; totalCount: number; prevOffset: number | null; nextOffset: number | null }
}

/** Links to the rows of a list before and after these, whose place is in the address of the page. */
export function Pager({ name, count, meta, words = ['Newer', 'Older'], opens }: PagerProps) {
  const { linkTo } = useAddress()
  const link = (offset: number) =>
    linkTo({ ...(opens !== undefined && { [opens]: undefined }), offset: offset === 0 ? undefined : String(offset) })
  return (
    <nav class="pager" aria-label={`Pages of ${name}`}>
      {meta.prevOffset !== null && (
        <a class="button small" href={link(meta.prevOffset)}>
          {words[0]}
        </a>
      )}
      <span class="quiet small">
        {formatNumber(meta.offset + Math.min(1, count))} to {formatNumber(meta.offset + count)} of{' '}
        {formatNumber(meta.totalCount)} {name}
      </span>
      {meta.nextOffset !== null && (
        <a class="button small" href={link(meta.nextOffset)}>
          {words[1]}
        </a>
      )}
    </nav>
  )
}
