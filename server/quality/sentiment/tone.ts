import type { Label } from './measure.ts'

/**
 * Headlines whose words mislead: movements as nouns, comparisons with expectations, one event in two bad words, victories
 * over something bad, outlooks. Written for this repository; every third line is held back: no rule was made to fit it.
 */
const LINES = `
-1 Norvane reports a fall in quarterly orders
-1 Carvell posts a drop in revenue
-1 Harlow announces a decline in first-half profit
1 Tarn Energy reports a rise in net profit
1 Calder sees a jump in bookings
1 Merrow Bank reports an increase in lending income
1 Linmark reports a fall in bad loans
-1 Delway sees a rise in customer complaints
1 Ferrand reports a drop in costs
-1 Whitcombe confirms a slide in export sales
1 Osprey reports smaller loss than expected
1 Vantor's revenue falls less than expected
1 Kessel posts smaller than feared loss
-1 Brightwell grows more slowly than expected
-1 Sales at Ostmark rise less than expected
1 Inflation slows more than expected in May
-1 US economy grows slower than forecast
1 Tesmar's quarterly loss narrower than analysts feared
-1 Quarterly profit at Alderon smaller than expected
-1 Brennick raises prices by less than expected as demand fades
-1 Regulator opens probe of fatal crash of Halden jet
-1 Prosecutors investigate collapse of Marlow Bank
-1 Lawmakers examine failure of Stenning Capital
-1 Police probe explosion at Corvin refinery
-1 Watchdog reviews accident at Tolland mine
-1 Investigators look into fire at Penmore plant
0 Thousands rally in Berlin against pension reform
0 Trump holds rally in Ohio
0 Supporters rally behind jailed opposition leader
1 Chip stocks rally after export deal
1 Oil rallies as producers agree on cuts
0 Rally car driver wins stage in Finland
1 Dorvik wins dismissal of shareholder lawsuit
1 Court throws out fraud case against Ellmore
1 Judge rejects claims against Rosken
1 Pellmar beats back hostile bid
1 Ashcombe cleared of bribery charges
1 Regulator drops antitrust probe into Velmont
1 Fairlow settles patent dispute with rival
1 Grantley overcomes supply shortage
1 Holmby resolves strike at main plant
1 Wexford averts default with new loan
-1 Court upholds fine against Torvane
-1 Dalmore loses appeal over patent
1 Serrin raises its full-year outlook
-1 Merton pulls its 2026 outlook
-1 Lorwick withdraws guidance, citing weak demand
1 Ostrava Steel lifts annual forecast for second time
-1 Brightwell scraps its profit forecast
-1 Halvor abandons sales target
1 Kindale reinstates its dividend
-1 Penrose suspends its outlook
1 Corrin confirms outlook after strong start
-1 Aldwick trims its forecast
`

/** The lines that rules were tuned on, and those held back. */
export function toneTexts(): { tuned: ToneText[]; heldBack: ToneText[] } {
  const texts = LINES.trim()
    .split('\n')
    .map((line): ToneText => {
      const [label = '', text = ''] = line.split(/ (.*)/)
      return { text, label: label === '1' ? 1 : label === '-1' ? -1 : 0 }
    })
  return {
    tuned: texts.filter((_, index) => index % 3 !== 2),
    heldBack: texts.filter((_, index) => index % 3 === 2),
  }
}

interface ToneText {
  text: string
  label: Label
}
