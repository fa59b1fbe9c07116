import type { BillingPackage, CreateBillingCheckoutParams } from 'mintick-client'
import { mintick } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { formatUsd } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { ErrorNotice, Loaded } from '../../ui/states.tsx'

/** Credit packs for sale. */
export function Packs() {
  const packs = useQuery({
    queryKey: ['billing', 'packages'],
    queryFn: ({ signal }) => mintick.billing.packages({}, { signal }),
  })
  const buy = useMutation(
    (packageId: CreateBillingCheckoutParams['packageId']) => mintick.billing.checkout.create({ packageId }),
    { onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl) },
  )
  return (
    <Card title="Credit packs">
      <p class="quiet">Bought credits do not expire, and are used after those of the month.</p>
      {buy.error !== null && <ErrorNotice error={buy.error} />}
      <Loaded of={packs}>
        {(all) => (
          <ul class="packs">
            {all.map((pack) => (
              <li key={pack.id}>
                <Pack
                  of={pack}
                  isPending={buy.isPending}
                  onBuy={() => buy.run(pack.id as CreateBillingCheckoutParams['packageId'])}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function Pack({ of: pack, isPending, onBuy }: { of: BillingPackage; isPending: boolean; onBuy: () => void }) {
  const { name, priceUsd, pricePerCreditUsd, discountPercent } = pack
  return (
    <>
      <strong>{name}</strong>
      <span class="stat-value">{formatUsd(priceUsd)}</span>
      <span class="quiet small">
        {(pricePerCreditUsd * 100).toLocaleString(undefined, { maximumFractionDigits: 2 })} ¢ a credit{' '}
        {discountPercent > 0 && <Badge tone="good">{discountPercent} % less</Badge>}
      </span>
      <button type="button" class="second" disabled={isPending} aria-label={`Buy ${name}`} onClick={onBuy}>
        {isPending ? 'Opening…' : 'Buy'}
      </button>
    </>
  )
}
