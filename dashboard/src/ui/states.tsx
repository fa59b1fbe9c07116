import { ApiError, ConnectionError } from 'mintick-client'
import type { ComponentChildren } from 'preact'

interface Loading<T> {
  data: T | undefined
  error: Error | null
  refetch?: () => unknown
}

interface LoadedProps<T> {
  of: Loading<T>
  /** Shown until there is data; lines of text by default. */
  skeleton?: ComponentChildren
  children: (data: T) => ComponentChildren
}

/** Shows data once it is there, and until then its outline or what went wrong. */
export function Loaded<T>({ of, skeleton, children }: LoadedProps<T>) {
  if (of.data !== undefined) {
    return (
      <>
        {of.error !== null && <ErrorNotice error={of.error} retry={of.refetch} />}
        {children(of.data)}
      </>
    )
  }
  if (of.error !== null) return <ErrorNotice error={of.error} retry={of.refetch} />
  return <>{skeleton ?? <Skeleton />}</>
}

/** The outline of content that is loading. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  )
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  )
}

/** Says what went wrong, with the id of the request for the operator. */
export function ErrorNotice({ error, retry }: { error: Error; retry?: (() => unknown) | undefined }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  const details = error instanceof ApiError ? error.details : []
  const isOffline = error instanceof ConnectionError
  return (
    <div class="notice bad" role="alert">
      <p>
        {isOffline
          ? 'The service cannot be reached. Check your connection.'
          : details.length > 0
            ? 'Check what you entered:'
            : error.message}
      </p>
      {details.length > 0 && (
        <ul>
          {details.map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p class="quiet small">
          Request <code>{requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" class="second" onClick={() => retry()}>
          Try again
        </button>
      )}
    </div>
  )
}
