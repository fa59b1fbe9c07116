import type { SampleEvent } from './event.ts'

/** Events between two companies; `{peer}` is the second. */
export const dealEvents: SampleEvent[] = [
  {
    kind: 'partnership',
    about: 'deal',
    direction: 'positive',
    strength: 0.45,
    weight: 5,
    topics: ['partnerships'],
    titles: [
      '{name} and {peer} announce partnership',
      '{name} teams up with {peer} on {product}',
      '{peer} joins forces with {name}',
    ],
    leads: [
      '{name} and {peer} announced a partnership to develop {product} together, sharing costs and patents.',
      'A new alliance between {name} and {peer} promises savings of {moneyLow} a year for both sides.',
    ],
    details: [
      'A joint team of {count} engineers will start work in {city} within {months} months.',
      'Investors welcomed the pact, and {broker} called it a clever answer to rising costs.',
    ],
  },
  {
    kind: 'supply-deal',
    about: 'deal',
    direction: 'positive',
    strength: 0.48,
    weight: 4,
    topics: ['supply-chains', 'partnerships'],
    titles: ['{name} signs {moneyHigh} supply deal with {peer}', '{peer} secures long-term supply from {name}'],
    leads: [
      '{name} signed a long-term agreement worth {moneyHigh} to supply {peer} from next year.',
      '{peer} secured years of supply from {name} in a deal valued at {moneyHigh}.',
    ],
    details: [
      'Prices are fixed for {months} months, giving both companies welcome certainty.',
      'The agreement will fill capacity in {city} and supports margins, the {role} said.',
    ],
  },
  {
    kind: 'merger-talks',
    about: 'deal',
    direction: 'neutral',
    strength: 0,
    weight: 3,
    topics: ['mergers-and-acquisitions'],
    titles: ['{name} and {peer} said to hold early merger talks', '{name}, {peer} explore combination'],
    leads: [
      '{name} and {peer} have held early talks about combining some operations, people familiar with the matter said.',
      'Bankers have sounded out {name} and {peer} about a tie-up valued at {moneyHigh}.',
    ],
    details: [
      'The discussions may not lead to an agreement, and both companies declined to comment.',
      'Any deal would need the consent of several competition authorities and take {months} months.',
    ],
  },
  {
    kind: 'deal-collapse',
    about: 'deal',
    direction: 'negative',
    strength: 0.52,
    weight: 2.5,
    topics: ['mergers-and-acquisitions', 'antitrust'],
    titles: ['Talks between {name} and {peer} collapse', '{name} walks away from {moneyHigh} deal with {peer}'],
    leads: [
      'Talks between {name} and {peer} collapsed after the two sides failed to agree on price.',
      '{name} abandoned a {moneyHigh} transaction with {peer}, leaving investors frustrated.',
    ],
    details: [
      'A break-up fee of {moneyLow} may be due, and {months} months of preparation were in vain.',
      'Regulators had voiced serious objections, according to analyst {analyst} of {broker}.',
    ],
  },
  {
    kind: 'patent-dispute',
    about: 'deal',
    direction: 'negative',
    strength: 0.46,
    weight: 3,
    topics: ['patents', 'lawsuits'],
    titles: ['{name} accuses {peer} of patent infringement', 'Patent fight between {name} and {peer} escalates'],
    leads: [
      '{name} accused {peer} of copying patented technology and demanded {moneyLow} in damages.',
      'The patent fight between {name} and {peer} escalated as a court in {city} refused to dismiss the case.',
    ],
    details: [
      'A sales ban is possible, a threat that unsettles suppliers and customers of both companies.',
      'The dispute may drag on for {months} months and burden results, {broker} warned.',
    ],
  },
  {
    kind: 'market-share-shift',
    about: 'deal',
    direction: 'positive',
    strength: 0.36,
    weight: 3,
    topics: ['companies'],
    titles: ['{name} gains ground on {peer}', '{name} overtakes {peer} in industry ranking'],
    leads: [
      '{name} gained market share from {peer} in {quarterLabel}, a survey of buyers showed.',
      '{name} overtook {peer} in a closely watched ranking after growth of {pctHigh}.',
    ],
    details: [
      'Customers praised quality and faster delivery, the survey of {count} buyers found.',
      'Analyst {analyst} expects the lead to widen over the next {months} months.',
    ],
  },
]
