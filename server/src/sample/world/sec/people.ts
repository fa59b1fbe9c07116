import { inventedCik } from './context.ts'

/** Invented people: names that nobody has, as often as they are needed and never the same twice. */

export interface Person {
  name: string
  cik: string
}

/** The same number is always the same person; there are as many as pairs of names. */
export function insiderPerson(number: number): Person {
  return { name: personName(number), cik: inventedCik.insider(number) }
}

export function personName(number: number): string {
  const first = number % givenNames.length
  // Shifted with the first name, so that people of neighbouring numbers are not all of one family.
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
