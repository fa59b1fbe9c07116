import { binanceConnector } from './binance/connector.ts'
import { coinbaseConnector } from './coinbase/connector.ts'
import type { Connector } from './connector.ts'
import { dailyCsvConnector } from './daily-csv/connector.ts'
import { edgarConnector } from './edgar/connector.ts'
import { feedConnector } from './feed/connector.ts'
import { kalshiConnector } from './kalshi/connector.ts'
import { krakenConnector } from './kraken/connector.ts'
import { manifoldConnector } from './manifold/connector.ts'
import { polymarketConnector } from './polymarket/connector.ts'

/** The kinds of sources. */
const ALL = [
  feedConnector,
  krakenConnector,
  coinbaseConnector,
  binanceConnector,
  dailyCsvConnector,
  polymarketConnector,
  kalshiConnector,
  manifoldConnector,
  edgarConnector,
] as unknown as readonly Connector[]

export const CONNECTORS: ReadonlyMap<string, Connector> = new Map(ALL.map((connector) => [connector.kind, connector]))
