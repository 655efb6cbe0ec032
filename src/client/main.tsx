import '@fontsource-variable/inter'
import './mantine-styles'
import './global.css'
import './print.css'
import { startTransition, StrictMode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'

import { App, loadFirstPage } from './app'

const start = document.getElementById('start')
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/** Replaces what the page has shown so far in the step in which the application is first shown. */
function Shown() {
  useLayoutEffect(() => start?.remove(), [])
  return null
}

const application = (
  <StrictMode>
    <App />
    <Shown />
  </StrictMode>
)
// What the page shows stays until its code is there, and a browser can answer while it renders.
void loadFirstPage().then(() => startTransition(() => createRoot(root).render(application)))
