import type { Evidence } from './evidence.ts'
import type { Token } from './tokens.ts'

/**
 * Business won and lost: "has received an order", "signs a EUR 40m contract", "lost the contract". The verb comes before
 * the thing; "the agreement was signed in May" and "the order includes" describe and say nothing.
 */
export function contracts(tokens: readonly Token[]): Evidence[] {
  const evidence: Evidence[] = []
  for (let at = 0; at < tokens.length; at++) {
    const verb = VERBS.get(tokens[at]?.text ?? '')
    if (verb === undefined) continue
    for (let next = at + 1; next < tokens.length && next <= at + REACH; next++) {
      const token = tokens[next]
      if (token === undefined || token.kind === 'stop' || token.text === ';') break
      const worth = THINGS.get(token.text)
      if (worth === undefined) continue
      const value = verb * (worth + (isPriced(tokens, at, next) ? PRICED : 0))
      evidence.push({ at, end: next + 1, value, stands: true })
      at = next
      break
    }
  }
  return evidence
}

const REACH = 7
/** A contract with a figure is a sale; one without may be any paper that two parties sign. */
const PRICED = 0.35

const VERBS = new Map([
  ...words('win wins won winning secure secures secured land lands landed clinch clinches clinched bags bagged', 1.1),
  ...words(
    'receive receives received awarded obtain obtains obtained gets got get signed signs sign inks inked book books',
    0.8,
  ),
  ...words('lose loses lost losing cancel cancels cancelled canceled terminates terminated', -1.2),
])

const THINGS = new Map([...words('contract contracts order orders', 1), ...words('deal agreement', 0.45)])

function words(list: string, value: number): [string, number][] {
  return list.split(' ').map((word) => [word, value])
}

function isPriced(tokens: readonly Token[], verb: number, thing: number): boolean {
  return tokens.slice(verb, thing + 8).some((token) => token.measure === 'money')
}
