import './styles/base.css'
import './styles/layout.css'
import './styles/components.css'
import './styles/explore.css'
import './styles/account.css'
import './styles/operate.css'
import 'uplot/dist/uPlot.min.css'
import { render } from 'preact'
import './api/preferences.ts'
import { loadSession } from './api/session.ts'
import { App } from './app.tsx'
import { ErrorNotice } from './ui/states.tsx'

const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no #app')

try {
  await loadSession()
  root.textContent = ''
  render(<App />, root)
} catch (error) {
  root.textContent = ''
  render(<ErrorNotice error={error as Error} retry={() => location.reload()} />, root)
}
