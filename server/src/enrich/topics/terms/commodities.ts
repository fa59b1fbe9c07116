import type { TopicTerms } from '../terms.ts'
import { MOVE } from './shared.ts'

/** Words about price, trade or supply, which show that a raw material is meant as a market. */
const MARKET = `price|=futures|market|trader|contract|stockpile|inventory|inventories|supply|export|=exports|demand|producer|output|production|premium|glut|deficit|surplus|bull|bear|${MOVE}|advance|climbs|demand|squeeze`

export const commodityTerms: TopicTerms[] = [
  {
    slug: 'commodities',
    fallback: true,
    sure: 'commodity, commodities, raw material, CRB index, bloomberg commodity',
    likely: '=futures, stockpile',
    hint: 'price, supply, demand, tonne, trader, harvest',
    not: 'stock|index|dow|S&P|nasdaq|rate|treasury =futures',
    assets: 'type:commodity',
  },
  {
    slug: 'energy-commodities',
    fallback: true,
    sure: `
      =coal, energy price|market|crisis|trader, coal price|=futures|demand|export, uranium price|market, gasoline,
      petrol|diesel|fuel price|demand|stock|=futures|supply|crack, power price, electricity price, carbon =futures
    `,
    likely: 'coal, uranium, fuel, gasoline, diesel, energy',
    hint: 'price, supply, barrel, demand, refinery',
  },
  {
    slug: 'crude-oil',
    sure: `
      =crude ${MARKET}, US|russian|iranian|venezuelan =crude, =crude oil, brent, WTI, west texas intermediate, opec,
      oil ${MARKET}, oil * ${MOVE}, barrel, # bpd, oil|saudi ** output ** cut|hike|barrel, oil stock|rig,
      tanker ** oil, oil =edges, iranian|russian|saudi|venezuelan oil|crude, petroleum reserve, =oil ** barrel,
      EIA ** stock|crude|oil, output cut ** oil
    `,
    likely: '=crude, oil, refinery, refiner, petroleum',
    hint: 'price, barrel, supply, output, inventory, inventories, sanction, saudi, rally',
    not: `
      palm|soybean|olive oil, oil major|company|producer|giant|firm|explorer|stock|driller, oil gas, oil and gas,
      pork barrel, barrel of laughs, crude steel, oil and gas producer, oilfield
    `,
    assets: 'key:BRENT, key:WTI',
  },
  {
    slug: 'natural-gas',
    sure: `
      natural gas, natgas, LNG, henry hub, TTF,
      gas price|=futures|storage|supply|market|pipeline|export|flow|demand|trader|contract, liquefied natural,
      dutch gas, gas ${MOVE}, nord stream, =heating demand
    `,
    likely: 'gas, pipeline, gazprom, =heating',
    hint: 'storage, cold, winter, supply, terminal, export, price, cargo',
    not: `
      greenhouse|tear|laughing|natural gas stove gas, gas tax|pump|station|mileage|guzzler, oil and gas|=gas,
      oil gas, per gallon, gas giant planet
    `,
    assets: 'key:NATGAS',
  },
  {
    slug: 'metals',
    fallback: true,
    sure: `precious metal, base metal, metal price|market|trader|prices|=futures, LME, metals ${MOVE}`,
    likely: '=metals, bullion, ore',
    hint: 'price, tonne, ounce, smelter, mine',
    not: 'heavy metal, metal detector|band|music',
  },
  {
    slug: 'gold',
    sure: `
      gold ** gain|loss|rally|high|low|slide, gold ${MARKET}, gold * ${MOVE}, bullion, spot gold, gold ounce,
      gold ** ounce|safe haven|record|bar|reserve|yellow, yellow metal, ounce of gold,
      gold miner|mine|mining|ETF|rush rally, XAU, central bank ** gold, gold as, gold holdings
    `,
    likely: 'gold bar|coin|bullion, =gold',
    hint: 'ounce, safe haven, price, dollar, yield, record, precious, fed',
    not: `
      gold card|coast|cup|award|star|glove|medal|standard|plated|ring|necklace|visa|member|jewelry, olympic * gold,
      win|won|wins|winning|takes gold, black|white|rose|liquid|digital|fool gold, barrick gold, gold rush
    `,
    assets: 'key:XAU',
  },
  {
    slug: 'silver',
    sure: `silver ${MARKET}, silver * ${MOVE}, spot silver, silver ounce, silver ** ounce, XAG, ounce of silver`,
    likely: '=silver',
    hint: 'ounce, price, gold, precious, bullion, solar',
    not: `
      silver lake|lining|medal|screen|spring|sneak|jewelry|hair|fern|ferns|surfer|bullet|ring, olympic * silver,
      win|won|wins|takes silver, quicksilver, silvergate
    `,
    assets: 'key:XAG',
  },
  {
    slug: 'platinum-group',
    sure: `
      palladium, rhodium, platinum ${MARKET}, platinum * ${MOVE}, platinum group, PGM, platinum ** ounce,
      iridium price
    `,
    likely: '=platinum, catalytic converter',
    hint: 'ounce, price, deficit, metal, mine, precious',
    not: 'platinum jubilee|album|record|card|member|selling|blonde|status|partner, amex platinum, goes platinum',
    assets: 'key:XPT, key:XPD',
  },
  {
    slug: 'industrial-metals',
    sure: `
      copper ${MARKET}, copper * ${MOVE}, copper, aluminium, aluminum, iron ore, nickel ${MARKET}, zinc,
      steel price|output|=futures|demand|import|tariff|production|export|rebar|mill, rebar, cobalt ${MARKET},
      lithium price|carbonate|=futures, tin price, lead price, LME, smelter, base metal, scrap metal,
      rare earth price
    `,
    likely: 'copper, nickel, zinc, =steel, lithium, cobalt, =iron, tungsten',
    hint: 'tonne, ton, price, mine, output, china, metal',
    not: `
      nickel and dime, nickelback, aluminum foil, zinc supplement|cream, steelers, stainless steel appliance,
      copper thief|thieves, man of steel, iron man|lady|dome
    `,
    assets: 'key:COPPER, key:ALUMINUM',
  },
  {
    slug: 'agriculture',
    fallback: true,
    sure: `
      agriculture, agricultural, crop price|report|yield|insurance|failure,
      farm income|price|subsidy|bill|economy|belt|good, farmland, farmer ** crop|harvest|price|plant|tariff|subsidy,
      USDA, harvest ** forecast|drought|rain|record|poor, livestock, cattle price|=futures|herd, hog =futures|price,
      fertilizer price, palm oil, milk price, egg price, food price index
    `,
    likely: 'farmer, crop, harvest, farm, livestock, cattle, drought',
    hint: 'tonne, bushel, export, rain, field, price, plant',
    not: 'farm system, server|wind|solar|content|troll farm, cream of the crop, cattle dog',
  },
  {
    slug: 'grains',
    sure: `
      wheat, soybean, soy|corn|maize|grain|rice|barley|oat|oats ${MARKET}, corn * ${MOVE}, maize, soyabean,
      grain deal|export|harvest|corridor|elevator, corn crop|belt|planting|acreage|harvest|export, soymeal, canola,
      bushel, black sea ** grain|export|harvest, rice export|ban|crop
    `,
    likely: 'corn, grain, soy, rice, barley, rapeseed',
    hint: 'bushel, crop, harvest, export, price, farmer, acreage, planting, tonne',
    not: 'whole wheat|grain, rice cooker|bowl|recipe, grain of salt, condoleezza|susan rice, wheat bread|beer',
    assets: 'key:WHEAT, key:CORN, key:SOYBEANS',
  },
  {
    slug: 'soft-commodities',
    sure: `
      cocoa ${MARKET}|bean|crop|harvest, cocoa, arabica, robusta,
      coffee price|=futures|crop|harvest|export|bean|trader|${MOVE}, coffee * ${MOVE},
      sugar price|=futures|crop|export|output|mill|trader|${MOVE}, raw sugar,
      cotton price|=futures|crop|export|${MOVE}, orange juice =futures|price, rubber price|=futures,
      lumber price|=futures, palm oil
    `,
    likely: 'coffee, sugar, cotton, lumber',
    hint: 'harvest, crop, tonne, price, brazil, frost, bean, bag, supply, =futures',
    not: `
      sugar tax|free|addiction, blood sugar, coffee shop|chain|cup|maker|house|machine|giant|giant,
      cotton wool|shirt|t, hot cocoa, coffee stock|share|shares|chain, coffee * store
    `,
    assets: 'key:COFFEE, key:COCOA, key:SUGAR, key:COTTON',
  },
]
