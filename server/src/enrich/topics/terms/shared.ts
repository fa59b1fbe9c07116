/** Words that many terms share, for use inside of terms. Irregular forms are listed, as a stem does not cover them. */

export const RISE =
  'rise|rose|climb|jump|surge|soar|rally|gain|advance|rebound|spike|leap|leapt|firm|strengthen|recover|bounce|inch|shine|shone|grow|grew|rocket|skyrocket|swell|higher|up'
export const FALL =
  'fall|fell|drop|slip|slide|slid|sink|sank|tumble|plunge|slump|dip|ease|retreat|weaken|decline|plummet|crash|shrink|shrank|tank|skid|soften|lower|down'
export const HOLD =
  'steady|steadies|flat|hold|held|hover|settle|stall|edge|tick|pare|extend|hit|near|top|lose|lost|shed'
/** How a price, an index or a figure moves. */
export const MOVE = `${RISE}|${FALL}|${HOLD}`

/** What one does to a target, a forecast, a rate or a payout. */
export const RAISE = 'raise|lift|hike|boost|increase|up'
export const LOWER = 'cut|lower|trim|slash|reduce'
export const CHANGE = `${RAISE}|${LOWER}`

/** Crypto assets by name and symbol. */
export const COIN =
  'crypto|cryptocurrency|bitcoin|BTC|ether|ethereum|ETH|solana|SOL|XRP|dogecoin|DOGE|litecoin|LTC|cardano|ADA|avalanche|AVAX|polkadot|DOT|chainlink|LINK|=token|=tokens|tron|TRX|toncoin|uniswap|polygon|stellar|cosmos|aave|BNB|stablecoin|stablecoins|tether|USDT|USDC'

/** Countries as adjectives, where "the … bank" or "the … economy" is meant. */
export const NATIONAL =
  'american|british|uk|german|french|italian|spanish|swiss|dutch|european|chinese|japanese|indian|korean|australian|canadian|brazilian|mexican|russian|turkish|swedish|danish|norwegian|irish|greek|portuguese|austrian|polish|asian|african|saudi'
