import type { TopicTerms } from '../terms.ts'
import { COIN, MOVE } from './shared.ts'

export const cryptoTerms: TopicTerms[] = [
  {
    slug: 'crypto',
    fallback: true,
    sure: `
      crypto, cryptocurrency, cryptocurrencies, digital asset, blockchain, web3, NFT, tokenization, tokenized, defi,
      digital currency
    `,
    likely: 'token, onchain, on chain, satoshi',
    hint: 'wallet, coin, protocol',
    not: 'token gesture|of, by the same token',
  },
  {
    slug: 'coins',
    fallback: true,
    sure: `memecoin, meme coin, crypto price|token|rally|sell, coin ${MOVE}, crypto market ${MOVE}, token ${MOVE}`,
    likely: '=coin, =coins, token',
    hint: 'crypto, rally, liquidation, wallet',
    assets: 'type:crypto',
  },
  {
    slug: 'bitcoin',
    sure: 'bitcoin, BTC, XBT, satoshi nakamoto',
    hint: 'crypto',
    not: 'bitcoin cash|sv',
    assets: 'key:BTC',
  },
  {
    slug: 'ether',
    sure: `
      ethereum, ETH, vitalik, =ether price|ETF|staking|falls|rises|drops|slides|jumps|surges, =ether * rises|falls
    `,
    likely: '=ether',
    hint: 'crypto, token, bitcoin, staking, mainnet, blockchain',
    not: 'ethereum classic, ETH zurich',
    assets: 'key:ETH',
  },
  {
    slug: 'altcoins',
    sure: `
      altcoin, solana, XRP, dogecoin, DOGE price|coin, cardano, litecoin, shiba inu, toncoin, chainlink, polkadot,
      uniswap, BNB, avalanche|stellar|cosmos|polygon|tron|sui token|network|blockchain|coin|price, bitcoin cash,
      ripple ** XRP|token|SEC|crypto, memecoin, meme coin
    `,
    likely: 'AVAX, LTC, ripple, token, aave',
    hint: 'crypto, coin, blockchain',
    not: 'ripple effect',
    assets: `
      key:SOL, key:XRP, key:DOGE, key:BNB, key:ADA, key:LINK, key:AVAX, key:TRX, key:LTC, key:DOT, key:SUI,
      key:SHIB, key:TON, key:BCH, key:UNI, key:AAVE, key:XLM, key:NEAR, key:ATOM, key:POL
    `,
  },
  {
    slug: 'stablecoins',
    sure: `
      stablecoin, stable coin, USDC, USDT, tether ** token|reserve|supply|USDC|crypto|issuer|peg,
      circle ** USDC|stablecoin, depeg, digital dollar|euro, dollar peg token, genius act
    `,
    likely: '=tether, peg',
    hint: 'reserve, token, issuer, crypto, circle',
    assets: 'key:USDT, key:USDC',
  },
  {
    slug: 'crypto-flows',
    sure: `
      ${COIN} network upgrade, ${COIN} upgrade, mainnet launch, hard fork, network upgrade goes live,
      ${COIN} fund flow, crypto fund, crypto ** inflow|outflow
    `,
    likely: 'network upgrade, hard fork, mainnet, whale',
    hint: 'crypto, wallet, blockchain, node, developer, fee',
    not: 'mobile|5g|telecom|rail network upgrade',
  },
  {
    slug: 'crypto-etfs',
    sure: `
      ${COIN} * ETF|ETFs|ETP|ETPs|trust|fund|=funds|product|=products, spot ** ETF|ETFs ** crypto|bitcoin|ether|BTC,
      ${COIN} ** ETF|ETFs|inflow|outflow, inflow|outflow ** ${COIN}, fund that hold ${COIN}, IBIT, grayscale, ETHA,
      into ${COIN} =products|funds
    `,
    likely: 'spot ETF, spot bitcoin',
    hint: 'inflow, outflow, ETF, fund, approval, blackrock',
    not: 'hedge fund, gold|silver|oil ETF|fund',
  },
  {
    slug: 'mining-and-staking',
    sure: `
      ${COIN} miner|=mining|mined, crypto =mining|miner, hashrate, hash rate, hashprice, =staking,
      proof of stake|work, ${COIN} halving, =halving, validator ** reward|yield|queue, mining rig|difficulty,
      ${COIN} network activity, miner ** ${COIN}, active address
    `,
    likely: 'validator, miner, mining difficulty, network activity',
    hint: 'crypto, bitcoin, rig, reward, node, power',
    not: 'staking a claim, gold|copper|coal|lithium|iron miner|mining, validator restart',
  },
  {
    slug: 'crypto-policy',
    fallback: true,
    sure: `
      crypto policy|lobby|czar|lobbying, strategic bitcoin reserve, bitcoin reserve, central bank digital currency,
      CBDC
    `,
    likely: 'crypto lobby|lobbyist, crypto industry, crypto czar',
    hint: 'crypto, regulator, law, senator, policy',
  },
  {
    slug: 'crypto-regulation',
    sure: `
      ${COIN} ** regulation|regulator|rule|law|bill|licence|license|ban|legislation|regulate|oversight|crackdown|approval|sanction|tax|compliance,
      regulator|SEC|CFTC|senate|congress|lawmaker|FCA|court|watchdog|regulate|ban|crackdown|rules|bill|licence|license|approve|clear|law|green|unlicensed ** ${COIN},
      digital asset ** bill|law|rule|regulation|market structure|framework|licence|license, MiCA,
      stablecoin ** bill|law|rule|act|regulation|disclosure, genius act, clarity act,
      virtual asset ** rule|license|licence|regulation|provider, tornado cash, unlicensed ** venue,
      =regulator ** clear|approve ** ${COIN} fund
    `,
    likely: 'CFTC, regulatory clarity',
    hint: 'crypto, regulator, SEC, licence, license, rule, law',
    not: 'SEC filing',
  },
  {
    slug: 'crypto-exchanges',
    sure: `
      binance, coinbase, kraken, bybit, OKX, FTX, bitfinex, bitstamp, upbit, gemini ** crypto|exchange,
      crypto * exchange|trading|platform|brokerage|broker|venue, ${COIN} exchange|venue|platform,
      exchange ** ${COIN}, digital asset exchange, huobi, kucoin, bankman fried, delist ** token|pair,
      ${COIN} trading venue
    `,
    likely: 'delist, trading pair, withdrawals',
    hint: 'crypto, exchange, token, platform, custody',
    not: 'in exchange for, exchange rate, kraken monster, stock exchange',
  },
  {
    slug: 'crypto-security',
    fallback: true,
    sure: 'crypto scam|fraud|ponzi|theft|crime|security, rug pull, private key, pig butchering',
    likely: 'crypto scam|fraud|theft, rug pull, wallet',
    hint: 'crypto, theft, scam, hacker',
  },
  {
    slug: 'exploits',
    sure: `
      exploit ** protocol|bridge|defi|crypto|token|lending|wallet,
      protocol|bridge|defi|smart|lending ** exploit|hack|drained|hacked|attack|stolen,
      hack|hacker|attacker|thief|theft ** ${COIN}|defi|protocol|wallet,
      ${COIN}|defi ** hack|hacked|heist|stolen|theft|hacker|exploit,
      drain|drained ** bridge|protocol|wallet|pool|exploit, flash loan attack, bridge exploit|hack, crypto heist,
      smart contract bug|flaw|hack|vulnerability, exploit hit
    `,
    likely: 'exploit, hack',
    hint: 'crypto, protocol, bridge, token, defi, attacker, steal, stolen',
    not: 'exploit worker|loophole|resources',
  },
  {
    slug: 'network-outages',
    sure: `
      ${COIN} * network halt|outage|down|stall|restart, ${COIN} ** outage|halt|downtime, network ** stop ** block,
      outage ** ${COIN}|transfer|blockchain, blockchain ** halt|outage|stall|restart|downtime|freeze,
      validator ** restart|halt|outage, stop producing block, mainnet outage|halt, chain halt
    `,
    likely: 'validator, downtime, block production',
    hint: 'network, outage, blockchain, restart, halt, freeze',
    not: 'wireless|mobile|phone outage',
  },
]
