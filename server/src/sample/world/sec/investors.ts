/** Invented investors; none of them exists. */

/** Managers who report their holdings (13F). */
export const managers = [
  'Thimble & Oak Asset Management',
  'Copperkettle Global Advisors',
  'Halfmoon Harbor Capital',
  'Bluebottle Equity Partners',
  'Wandering Heron Investments',
  'Pinecone Ridge Management',
  'Seventh Lantern Advisors',
  'Marzipan Street Capital',
  'Gooseberry Hill Partners',
  'Tall Teapot Investors',
  'Silver Snail Asset Management',
  'Paper Lighthouse Capital',
  'Mild Thunder Advisors',
  'Crooked Chimney Partners',
  'Velvet Anvil Management',
  'Drowsy Falcon Capital',
  'Nutmeg & Daughters Investments',
  'Upside Down Umbrella Fund',
  'Quiet Kettle Quantitative',
  'Second Breakfast Advisors',
]

/** Passive holders of more than five percent (13G). */
export const passiveHolders = [
  'Snowdrop Index Trust',
  'Patient Tortoise Funds',
  'Featherbed Retirement Trust',
  'Long Meadow Index Advisors',
  'Woollen Mitten Pension Fund',
  'Still Pond Asset Trust',
  'Hundred Acorns Fund',
  'Sleepy Badger Index Company',
  'Old Compass Endowment',
  'Plain Porridge Funds',
]

/** Activist holders of more than five percent (13D). */
export const activists = [
  'Grumbling Otter Partners',
  'Rattling Teacup Capital',
  'Sharp Thistle Investors',
  'Loud Woodpecker Fund',
  'Stubborn Goat Capital',
  'Pointed Umbrella Partners',
  'Impatient Heron Management',
  'Open Letter Associates',
]
