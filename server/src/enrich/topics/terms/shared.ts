/** Alternatives shared by many terms. Irregular forms are listed, since stems do not cover them. */

const RISE =
  'rise|rose|climb|jump|surge|soar|rally|gain|advance|rebound|spike|leap|leapt|firm|strengthen|recover|bounce|inch|shine|shone|grow|grew|rocket|skyrocket|swell|higher|up'
const FALL =
  'fall|fell|drop|slip|slide|slid|sink|sank|tumble|plunge|slump|dip|ease|retreat|weaken|decline|plummet|crash|shrink|shrank|tank|skid|soften|lower|down'
const HOLD = 'steady|steadies|flat|hold|held|hover|settle|stall|edge|tick|pare|extend|hit|near|top|lose|lost|shed'
/** Movements of a price, an index or a figure. */
export const MOVE = `${RISE}|${FALL}|${HOLD}`

/** Changes of a target, a forecast, a rate or a payout. */
export const RAISE = 'raise|lift|hike|boost|increase|up'
export const LOWER = 'cut|lower|trim|slash|reduce'
export const CHANGE = `${RAISE}|${LOWER}`

/** Crypto assets by name and symbol. */
export const COIN =
  'crypto|cryptocurrency|bitcoin|BTC|ether|ethereum|ETH|solana|SOL|XRP|dogecoin|DOGE|litecoin|LTC|cardano|ADA|avalanche|AVAX|polkadot|DOT|chainlink|LINK|=token|=tokens|tron|TRX|toncoin|uniswap|polygon|stellar|cosmos|aave|BNB|stablecoin|stablecoins|tether|USDT|USDC'

/** Adjectives of countries, for "the … bank" or "the … economy". */
export const NATIONAL =
  'american|british|uk|german|french|italian|spanish|swiss|dutch|european|chinese|japanese|indian|korean|australian|canadian|brazilian|mexican|russian|turkish|swedish|danish|norwegian|irish|greek|portuguese|austrian|polish|asian|african|saudi'
