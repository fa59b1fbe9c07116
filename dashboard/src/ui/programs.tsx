import { useId, useState } from 'preact/hooks'
import { type ApiCall, programsOf } from '../api/api-call.ts'
import { CopyButton } from './copy.tsx'

/** Programs that make calls, one per language, to copy. */
export function Programs({ calls }: { calls: readonly ApiCall[] }) {
  const programs = Object.entries(programsOf(calls))
  const [shown, setShown] = useState(programs[0]?.[0] ?? '')
  const id = useId()
  const source = programs.find(([language]) => language === shown)?.[1] ?? ''
  return (
    <div class="programs">
      <div class="programs-head">
        <div role="tablist" aria-label="Language" class="tabs">
          {programs.map(([language]) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`${id}-${language}`}
              aria-selected={language === shown}
              aria-controls={id}
              onClick={() => setShown(language)}
            >
              {language}
            </button>
          ))}
        </div>
        <CopyButton text={source} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls must be reachable by keyboard */}
      <pre id={id} role="tabpanel" aria-labelledby={`${id}-${shown}`} tabIndex={0}>
        <code>{source}</code>
      </pre>
    </div>
  )
}
