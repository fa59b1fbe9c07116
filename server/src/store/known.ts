/** A value that is there already, or has to be read. */
export type Known<T> = T | Promise<T>

/** Applies `work` to a value, at once if it is there: a promise costs more than most work on a cached value. */
export function withKnown<T, Result>(value: Known<T>, work: (value: T) => Known<Result>): Known<Result> {
  return value instanceof Promise ? value.then(work) : work(value)
}
