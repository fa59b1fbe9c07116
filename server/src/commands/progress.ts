const BAR_WIDTH = 30
const REDRAW_MS = 100
const LINE_EVERY_MS = 10_000

interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

/** Shows the progress of a long command: a bar on a terminal, an occasional line otherwise. */
export class ProgressLine {
  readonly #output: Output
  readonly #total: number
  readonly #noun: string
  readonly #time: () => number
  readonly #start: number
  #lastShown = Number.NEGATIVE_INFINITY

  constructor(output: Output, { total, noun }: { total: number; noun: string }, time: () => number) {
    this.#output = output
    this.#total = total
    this.#noun = noun
    this.#time = time
    this.#start = time()
  }

  at(done: number): void {
    this.#show(done === this.#total, () => {
      const rate = (done / Math.max(this.#time() - this.#start, 1)) * 1_000
      const left = durationText((this.#total - done) / rate)
      const figures = `${number(done)} of ${number(this.#total)} ${this.#noun}, ${number(rate)} per second, ${left} left`
      return this.#output.isTTY ? `${bar(done / this.#total)}  ${figures}` : figures
    })
  }

  step(step: string): void {
    this.#show(true, () => `building ${step}`)
  }

  /** Clears the bar. */
  end(): void {
    if (this.#output.isTTY) this.#output.write('\r\x1b[K')
  }

  #show(isNews: boolean, text: () => string): void {
    const passed = this.#time() - this.#lastShown
    const isDue = this.#output.isTTY ? isNews || passed >= REDRAW_MS : passed >= LINE_EVERY_MS
    if (!isDue) return
    this.#output.write(this.#output.isTTY ? `\r${text()}\x1b[K` : `${text()}\n`)
    this.#lastShown = this.#time()
  }
}

function bar(share: number): string {
  const filled = Math.floor(share * BAR_WIDTH)
  return `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}

const number = (value: number) => Math.round(value).toLocaleString('en-US')

function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–'
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
