import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from '../../ui/states.tsx'

/** A QR code, dark on light in both themes, since not every reader knows the inverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [rows, setRows] = useState<boolean[][]>()
  useEffect(() => {
    let isShown = true
    void import('uqr').then(({ encode }) => isShown && setRows(encode(text, { border: 2 }).data))
    return () => {
      isShown = false
    }
  }, [text])
  if (rows === undefined) return <Skeleton />
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <path d={path} />
    </svg>
  )
}
