import type { AccountLog } from 'mintick-client'
import type { ComponentChildren } from 'preact'
import { useAddress } from '../../ui/address.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { formatCredits, formatDuration, formatNumber } from '../../ui/format.ts'
import { Badge } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'

/** All fields of a request in the log. */
export function RequestPanel({ of: log, keyName, closeTo }: { of: AccountLog; keyName: string; closeTo: string }) {
  const { linkTo } = useAddress()
  const parameters = [...new URLSearchParams(log.query ?? '')]
  return (
    <Panel title="Request" closeTo={closeTo}>
      <dl class="facts">
        <Pair name="Status">
          <StatusBadge of={log} />
        </Pair>
        <Pair name="Cost">{formatCredits(log.creditsCharged)}</Pair>
        <Pair name="Request id">
          <code>{log.requestId}</code> <CopyButton text={log.requestId} />
        </Pair>
        <Pair name="Arrived">
          <Time at={log.createdAt} as="second" />
        </Pair>
        <Pair name="Time taken">{formatDuration(log.durationMs)}</Pair>
        <Pair name="Answer">{formatNumber(log.responseBytes)} bytes</Pair>
        <Pair name="Key">
          <a href={linkTo({ key: log.apiKeyId, request: undefined, offset: undefined })}>{keyName}</a>
        </Pair>
        <Pair name="Endpoint">
          {log.route === null ? (
            'none: no endpoint has this path'
          ) : (
            <a href={linkTo({ path: log.route, request: undefined, offset: undefined })}>
              <code>{log.route}</code>
            </a>
          )}
        </Pair>
        <Pair name="Path">
          <code>{log.path}</code>
        </Pair>
        {parameters.map(([name, value], index) => (
          <Pair key={index} name={<code>{name}</code>}>
            <code>{value}</code>
          </Pair>
        ))}
      </dl>
    </Panel>
  )
}

function Pair({ name, children }: { name: ComponentChildren; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

export function StatusBadge({ of: { statusCode, errorCode } }: { of: Pick<AccountLog, 'statusCode' | 'errorCode'> }) {
  return (
    <Badge tone={statusCode < 400 ? 'good' : statusCode < 500 ? 'warn' : 'bad'}>
      {statusCode}
      {errorCode !== null && ` ${errorCode}`}
    </Badge>
  )
}
