import { effect, signal } from '@preact/signals'

export type Theme = 'auto' | 'light' | 'dark'

/** Returns a signal whose value this browser keeps, if it may. */
function kept<T extends string>(name: string, values: readonly [T, ...T[]]) {
  const known = attempt(() => values.find((value) => value === localStorage.getItem(name)))
  const preference = signal<T>(known ?? values[0])
  effect(() => {
    const { value } = preference
    attempt(() => localStorage.setItem(name, value))
  })
  return preference
}

/** Returns what `access` returns; undefined in a browser that forbids storage. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}

/** Colours of the pages; /docs has the same setting. */
export const theme = kept<Theme>('theme', ['auto', 'light', 'dark'])
effect(() => {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
})

export function setTheme(chosen: Theme): void {
  theme.value = chosen
}

/** Whether views of the explorer make their call when they are opened, or wait until the reader has seen its price. */
export const runsAtOnce = kept('runs-at-once', ['no', 'yes'])
