import type { NewAsset } from '../model/assets.ts'
import type { Db } from './db.ts'
import { countRows, insertRecords } from './sql.ts'

export type Assets = ReturnType<typeof assetsStore>

export function assetsStore(db: Db) {
  return {
    /** One that is already there is left as it is. */
    insert(assets: readonly NewAsset[], now: number): Promise<void> {
      return db.transaction(async (tx) => {
        await insertRecords(
          tx,
          'assets',
          assets.map((asset) => ({
            id: asset.id,
            key: asset.key,
            symbol: asset.symbol,
            name: asset.name,
            sort_name: asset.name.toLowerCase(),
            type: asset.type,
            status: asset.status,
            exchange: asset.exchange,
            country_code: asset.countryCode,
            currency: asset.currency,
            cik: asset.cik,
            isin: asset.isin,
            figi: asset.figi,
            lei: asset.lei,
            aliases: JSON.stringify(asset.aliases),
            former_symbols: JSON.stringify(asset.formerSymbols),
            sector: asset.sector,
            industry: asset.industry,
            description: asset.description,
            website_url: asset.websiteUrl,
            created_at: now,
            updated_at: now,
          })),
          'on conflict do nothing',
        )
        await tx.query(
          `insert into asset_counts (ref)
           select ref from assets where ref not in (select ref from asset_counts) on conflict do nothing`,
        )
      })
    },

    count: () => countRows(db, 'assets'),
  }
}
