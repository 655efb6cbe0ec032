import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { getToast } from '../../lib/toast'
import { renderWithAnswers } from '../../testing/render-app'
import { sampleConnection } from '../../testing/sample-records'
import { useSendChosen } from './use-send-chosen'

const { XMLHttpRequest } = globalThis
afterEach(() => {
  globalThis.XMLHttpRequest = XMLHttpRequest
})

/** A server that refuses every file. */
class RefusingRequest {
  upload = {}
  status = 409
  responseText = JSON.stringify({ message: 'This connection is paused.' })
  onload?: () => void
  open = () => {}
  setRequestHeader = () => {}
  send = () => this.onload?.()
}

it('a file that was checked first and is refused is told, and its dialog stays', async () => {
  globalThis.XMLHttpRequest = RefusingRequest as never
  const onSent = vi.fn<() => void>()
  const { reading, categoryReading, columnRoles } = sampleConnection
  const choices = { reading, categoryReading, columnRoles }
  function Sender() {
    const { sendChosen } = useSendChosen(sampleConnection, onSent)
    const file = new File(['sku\n1\n'], 'stock.csv')
    return <button onClick={() => sendChosen(file, choices)}>Send</button>
  }
  renderWithAnswers(<Sender />, {})
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }))
  await waitFor(() => expect(getToast()?.description).toBe('This connection is paused.'))
  expect(onSent).not.toHaveBeenCalled()
})
