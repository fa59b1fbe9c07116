import { inventedCik } from './companies.ts'

/** Invented people with unlikely names. */

export interface Person {
  name: string
  cik: string
}

/** Returns the person with this number; there are as many people as pairs of names. */
export function insiderPerson(number: number): Person {
  return { name: personName(number), cik: inventedCik.insider(number) }
}

export function personName(number: number): string {
  const first = number % givenNames.length
  // Shifted by the first name, so that people with neighbouring numbers have different family names.
  const second = (Math.floor(number / givenNames.length) + 7 * first) % familyNames.length
  return `${givenNames[first]} ${familyNames[second]}`
}

const givenNames = (
  'Ottoline Barnaby Seraphina Lysander Philippa Ignatius Rosamund Thaddeus Cordelia Evander Wilhelmina Cassius Araminta ' +
  'Leopold Henrietta Balthazar Isolde Montague Clementine Ferdinand Octavia Percival Theodosia Augustin Marigold ' +
  'Cornelius Beatrix Horatio Euphemia Lazarus Winifred'
).split(' ')

const familyNames = (
  'Thistlemoor Quillfeather Marrowfield Copperleaf Duskmantle Fernwhistle Gableton Hollowmere Inkpenny Juniperson ' +
  'Kettlebrook Larkhammer Mossgarden Nettlefold Oakenpage Puddlestone Quarrywell Ravenlock Saltwhistle Tanglewood ' +
  'Umberfield Velvetine Wickerstone Yarrowby Zephyrton Applethwaite Brambleforth Candlewick Driftmarsh Emberley ' +
  'Foxmantle Goosefeather Hazelgrove Ironbuckle Jasperwood Kitestring Lanternby Moonharrow Needlewood Orchardson ' +
  'Pepperfield Quiltmaker Rushwater Sparrowgate Teacupson Underhollow Vinebottom Whistlecroft'
).split(' ')
