import { dice } from '../../../test/dice.ts'

/** Choices that the same seed repeats. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    // The first numbers of neighbouring seeds are alike.
    this.#next = dice(Math.imul(seed, 2_654_435_761) >>> 0)
    for (let index = 0; index < 3; index += 1) this.#next()
  }

  /** Returns a number from 0 to 1. */
  number(): number {
    return this.#next()
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  below(count: number): number {
    return Math.floor(this.#next() * count)
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined && items.length === 0) throw new Error('nothing to pick from')
    return item as Item
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('')
  }
}
