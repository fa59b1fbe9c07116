import { useKeys } from '../../api/account.ts'
import type { ApiCall } from '../../api/api-call.ts'
import { mintick } from '../../api/clients.ts'
import { useMutation } from '../../api/query.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Price } from '../../ui/price.tsx'
import { Programs } from '../../ui/programs.tsx'
import { ErrorNotice } from '../../ui/states.tsx'

const CALL = { path: '/entries', method: 'entries.list', params: { limit: 1 }, kind: 'list' } satisfies ApiCall
const SHOWN_LINES = 24

/** A guide to the first call: a button that makes it right here, a key, and a program. */
export function FirstCall({ isNew = false }: { isNew?: boolean }) {
  const keys = useKeys()
  const hasKey = keys.data?.some(({ isActive }) => isActive) ?? false
  const run = useMutation(
    async () => {
      const started = performance.now()
      const { data, response } = await mintick.entries.list(CALL.params).withResponse()
      return { page: data, response, durationMs: performance.now() - started }
    },
    { changes: [['account'], ['usage']] },
  )
  return (
    <Card title={isNew ? 'Make your first call' : 'A first call'} class="first-call">
      <ol class="steps">
        <li>
          Make the call right here, without a key.
          <div class="actions">
            <button type="button" class="first" disabled={run.isPending} onClick={() => run.run()}>
              {run.isPending ? 'Running…' : 'Run it'} · <Price of={[CALL]} />
            </button>
          </div>
          {run.error !== null && <ErrorNotice error={run.error} />}
          {run.data !== undefined && <Answer {...run.data} />}
        </li>
        <li>
          {hasKey ? (
            <>
              You have an API key, which was shown when it was created. If you lost it,{' '}
              <a href="/dashboard/keys">create another one</a>.
            </>
          ) : (
            <>
              <a href="/dashboard/keys">Create an API key</a> for your own programs.
            </>
          )}
        </li>
        <li>
          Copy a program, and replace <code>YOUR_API_KEY</code> by your key.
          <Programs calls={[CALL]} />
        </li>
      </ol>
    </Card>
  )
}

type Sent = Awaited<ReturnType<ReturnType<typeof mintick.entries.list>['withResponse']>>

function Answer({
  page,
  response,
  durationMs,
}: {
  page: Sent['data']
  response: Sent['response']
  durationMs: number
}) {
  const { data, meta } = page
  const text = JSON.stringify({ success: true, data, meta }, undefined, 2)
  const lines = text.split('\n')
  return (
    <section aria-label="Answer" class="answer">
      <p class="actions">
        <Badge tone="good">{response.status}</Badge>
        <span>{formatCredits(response.credits?.cost ?? 0)}</span>
        <span class="quiet">{Math.round(durationMs)} ms</span>
        <span class="quiet small">
          Request <code>{response.requestId}</code>
        </span>
        <CopyButton text={text} label="Copy the answer" />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {lines.slice(0, SHOWN_LINES).join('\n')}
          {lines.length > SHOWN_LINES && `\n… ${lines.length - SHOWN_LINES} more lines`}
        </code>
      </pre>
    </section>
  )
}
