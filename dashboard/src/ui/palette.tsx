import { signal } from '@preact/signals'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { setTheme } from '../api/preferences.ts'
import { currentUser, signOut } from '../api/session.ts'
import { isFor, ROUTES } from '../pages/routes.ts'
import { Dialog } from './dialog.tsx'

interface Command {
  name: string
  note: string
  run: () => void
}

const isOpen = signal(false)

export const openPalette = () => {
  isOpen.value = true
}

/** The command palette, which Ctrl-K opens: pages and actions by name, and assets by ticker. */
export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      isOpen.value = !isOpen.value
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return isOpen.value ? <OpenPalette /> : null
}

function OpenPalette() {
  const { route } = useLocation()
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const close = () => {
    isOpen.value = false
  }
  const commands = matching(commandsFor(typed, route), typed)
  const chosen = Math.min(marked, commands.length - 1)
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen])
  const start = (command: Command | undefined) => {
    if (command === undefined) return
    close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setMarked(Math.min(chosen + 1, commands.length - 1))
    else if (event.key === 'ArrowUp') setMarked(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') start(commands[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${chosen}`}
        aria-label="Page, action or ticker"
        placeholder="Page, action or ticker"
        autocomplete="off"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setMarked(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} ref={list} role="listbox" aria-label="Commands" class="palette">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          <div
            key={command.name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => start(command)}
          >
            {command.name} <span class="quiet small">{command.note}</span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

function commandsFor(typed: string, route: (path: string) => void): Command[] {
  const ticker = typed.trim().toUpperCase()
  return [
    ...ROUTES.filter((page) => !page.path.includes(':') && isFor(page, currentUser())).map(
      ({ path, title, group = '' }) => ({
        name: title,
        note: group,
        run: () => route(path),
      }),
    ),
    { name: 'Light colours', note: 'Theme', run: () => setTheme('light') },
    { name: 'Dark colours', note: 'Theme', run: () => setTheme('dark') },
    { name: 'Colours of the system', note: 'Theme', run: () => setTheme('auto') },
    { name: 'Reference', note: 'Documentation', run: () => location.assign('/docs') },
    { name: 'Sign out', note: '', run: () => void signOut() },
    ...(ticker.length > 0 && ticker.length <= 12
      ? [
          {
            name: `Asset ${ticker}`,
            note: 'Explore',
            run: () => route(`/dashboard/assets/${encodeURIComponent(ticker)}`),
          },
        ]
      : []),
  ]
}

/** Returns the commands with all typed words, those whose name begins with them first. */
function matching(commands: Command[], typed: string): Command[] {
  const text = typed.trim().toLowerCase()
  const words = text.split(/\s+/)
  const found = commands.filter(({ name, note }) =>
    words.every((word) => `${name} ${note}`.toLowerCase().includes(word)),
  )
  return found.sort(
    (a, b) => Number(b.name.toLowerCase().startsWith(text)) - Number(a.name.toLowerCase().startsWith(text)),
  )
}
