import type { Theme } from './theme.ts'

/** Written after all rules and limits were set, to measure them on unseen news. Never tune on these. */
export const heldOutThemes: readonly Theme[] = [
  {
    about: 'drug makers',
    clusters: [
      {
        day: 0.2,
        texts: [
          'FDA rejects Brelmont heart drug, asks for new trial || The agency told Brelmont Pharma that data on its blood thinner were not sufficient for approval.',
          'Brelmont shares halve after US regulator turns down blood thinner',
          'Setback for Brelmont as heart medicine fails to win approval || The company must run another study before it can apply again.',
        ],
      },
      {
        day: 0.5,
        texts: [
          'Merck to close vaccine plant in North Carolina || About 640 people work at the Durham site, which makes shots against chickenpox.',
          'Merck shuts Durham factory, 640 jobs at risk',
        ],
      },
      { day: 0.6, texts: ['FDA approves Sandoz copy of osteoporosis drug'] },
      { day: 1.1, texts: ['Merck raises dividend for fourteenth year'] },
      {
        day: 1.3,
        texts: ['Bayer wins appeal in weedkiller case || A court in Missouri overturned a verdict of $611 million.'],
      },
    ],
  },
  {
    about: 'telecoms and media',
    clusters: [
      {
        day: 1.2,
        texts: [
          'Vodafone and Three customers lose signal across Britain || Engineers were working to restore calls after a failure in the merged network.',
          'Mobile network outage hits millions of Vodafone users in UK',
          'Vodafone says service restored after nationwide blackout',
          'No calls, no texts: what went wrong at Vodafone on Tuesday',
        ],
      },
      {
        day: 1.6,
        texts: [
          'Paramount sweetens bid for Warner Bros to $30 a share || The offer values the studio at $74 billion including debt.',
          'Warner Bros receives higher offer from Paramount',
          'Ellison raises takeover offer for owner of HBO || Paramount hopes that the new price persuades the board of its rival.',
        ],
      },
      { day: 1.7, texts: ['Warner Bros sets box office record with seventh straight hit'] },
      { day: 2.0, texts: ['Telefonica to sell Mexican unit for 450 million euros'] },
      { day: 2.2, texts: ['Vodafone names Orange executive as head of German business'] },
    ],
  },
  {
    about: 'food prices and farms',
    clusters: [
      {
        day: 2.1,
        texts: [
          'Cocoa falls to two-year low as West African rains lift crop hopes || Futures in New York dropped below $5,000 a tonne.',
          'Chocolate relief: cocoa prices sink below $5,000',
          'Better weather in Ivory Coast and Ghana sends cocoa tumbling',
        ],
      },
      {
        day: 2.4,
        texts: [
          'Bird flu forces cull of 1.4 million hens in Ohio || Egg prices are expected to climb again after the virus was found on two farms.',
          'Ohio farms kill 1.4 million chickens as avian influenza returns',
        ],
      },
      { day: 2.6, texts: ['Coffee hits record as drought damages Brazilian harvest'] },
      { day: 2.8, texts: ['Bird flu found in dairy cows in Netherlands for first time'] },
      { day: 3.0, texts: ['Ohio voters back property tax cap'] },
    ],
  },
  {
    about: 'rail and roads',
    clusters: [
      {
        day: 3.1,
        texts: [
          'High-speed trains collide near Cordoba, at least 21 dead || Two trains hit each other on the line between Madrid and Seville on Sunday evening.',
          'Spain mourns victims of Cordoba rail disaster',
          'Death toll in Spanish train collision climbs to 39',
          'Broken track suspected in Cordoba train crash || Investigators found a crack in a rail some hundred metres before the site.',
        ],
      },
      {
        day: 3.4,
        texts: [
          'Union Pacific and Norfolk Southern file merger plan with regulator || The railways want to create the first coast-to-coast operator in the United States.',
          'Railroads seek approval for coast-to-coast tie-up',
          'Norfolk Southern, Union Pacific submit $85 billion deal for review',
        ],
      },
      { day: 3.6, texts: ['Spanish tourism income hits record in summer'] },
      {
        day: 3.8,
        texts: ['Bridge collapse in Gujarat kills nine || Several vehicles fell into the river when a slab gave way.'],
      },
      { day: 4.0, texts: ['CSX replaces chief executive after activist campaign'] },
    ],
  },
  {
    about: 'elections and unrest',
    clusters: [
      {
        day: 4.1,
        texts: [
          'Youth protests topple government in Nepal || The prime minister resigned after a ban on social media set off deadly clashes in Kathmandu.',
          'Nepal prime minister quits as protesters storm parliament',
          'Army patrols Kathmandu after days of unrest',
          'Nepal lifts social media ban after 19 die in protests',
        ],
      },
      {
        day: 4.3,
        texts: [
          'Norway re-elects Labour government in close vote || Prime minister Stoere secured a second term with the help of small left-wing parties.',
          'Stoere wins second term as Norwegian left holds power',
        ],
      },
      {
        day: 4.8,
        texts: [
          'Bolivia elects centrist as president, ending two decades of left rule || Rodrigo Paz beat a former president in a runoff.',
          'Rodrigo Paz wins Bolivian runoff',
          'Bonds of Bolivia rally after Paz victory',
        ],
      },
      { day: 4.6, texts: ['Norway wealth fund sells stake in Israeli banks'] },
      { day: 5.0, texts: ['Madagascar president flees as soldiers join protesters'] },
      { day: 5.2, texts: ['Chile heads for runoff between Jara and Kast'] },
    ],
  },
  {
    about: 'results of banks',
    clusters: [
      {
        day: 5.1,
        texts: [
          'Citigroup profit climbs 16% on trading boom || Revenue rose in all five businesses of the New York bank in the fourth quarter.',
          'Traders lift Citi to better-than-expected earnings',
          'Citigroup beats estimates as markets unit shines',
        ],
      },
      {
        day: 5.15,
        texts: [
          'Wells Fargo profit climbs 9% on investment banking fees || Revenue rose in most businesses of the San Francisco bank in the fourth quarter.',
          'Wells Fargo tops estimates, lifts return target',
        ],
      },
      { day: 5.2, texts: ['BlackRock profit climbs as assets hit $13.5 trillion'] },
      { day: 5.3, texts: ['Wells Fargo to pay $33 million over subscription scams'] },
      { day: 5.4, texts: ['Citigroup hires Evercore banker to lead health care team'] },
    ],
  },
]
