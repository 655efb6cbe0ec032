import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { dismissToast, getToast } from '../../lib/toast'
import { renderInTheme } from '../../testing/render'
import { SendFile } from './send-file'

const { XMLHttpRequest } = globalThis

/** Stands in for the requests of the browser; a test lets each of them end. */
class FakeRequest {
  static sent: FakeRequest[] = []
  upload: { onprogress?: (progress: { loaded: number; total: number }) => void } = {}
  status = 0
  responseText = ''
  onload?: () => void
  onerror?: () => void
  onloadend?: () => void
  opened: string[] = []
  body: File | null = null

  open = (...opened: string[]) => (this.opened = opened)
  setRequestHeader = () => {}
  send(body: File) {
    this.body = body
    FakeRequest.sent.push(this)
  }

  answer = (status: number, body: object) =>
    act(async () => {
      Object.assign(this, { status, responseText: JSON.stringify(body) })
      this.onload?.()
      this.onloadend?.()
    })
}

beforeEach(() => {
  FakeRequest.sent = []
  globalThis.XMLHttpRequest = FakeRequest as never
})
afterEach(() => {
  globalThis.XMLHttpRequest = XMLHttpRequest
})

const stock = new File(['sku,qty\n1,5\n'], 'stock & more.csv')
const drop = () => screen.getByRole('button', { name: /^Send a file:/ })
const input = () => screen.getByLabelText<HTMLInputElement>('Send a file')

function renderSending({ isDisabled = false, takesUpdates = false } = {}) {
  const onSent = vi.fn<(file: ReceivedFile) => void>()
  const props = { isDisabled, takesUpdates, onSent }
  renderInTheme(<SendFile address="/api/connections/1/file" {...props} />)
  return onSent
}

/** Chooses a file, and waits until it is on its way. */
async function choose(file = stock): Promise<FakeRequest> {
  fireEvent.change(input(), { target: { files: [file] } })
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(1))
  return FakeRequest.sent[0]!
}

describe('the place to drop a file', () => {
  it('is reached by keyboard, says what it does and which files are read, and opens the picker', async () => {
    renderSending()
    await userEvent.tab()
    expect(document.activeElement).toBe(drop())
    expect(drop()).toBe(
      screen.getByRole('button', { name: /Drop your file here, or choose it.*CSV, Excel/ }),
    )
    const opened = vi.spyOn(input(), 'click')
    await userEvent.keyboard('{Enter}')
    expect(opened).toHaveBeenCalledOnce()
  })

  it('sends what is chosen at once, with its name, and announces how far that is', async () => {
    const onSent = renderSending()
    const status = screen.getByRole('status')
    const request = await choose()
    expect(request.opened).toEqual(['PUT', '/api/connections/1/file?name=stock%20%26%20more.csv'])
    expect(request.body).toBe(stock)
    act(() => request.upload.onprogress?.({ loaded: 3, total: 12 }))
    expect(status.textContent).toBe('Sending stock & more.csv')
    expect(screen.getByRole('progressbar')).toHaveProperty('value', 25)
    act(() => request.upload.onprogress?.({ loaded: 12, total: 12 }))
    expect(status.textContent).toBe('Storing stock & more.csv')
    await request.answer(202, { id: 7 })
    expect(onSent).toHaveBeenCalledExactlyOnceWith({ id: 7 })
    expect(status.textContent).toBe('')
  })

  it('says of a file that it is a full one, where others have only what has changed', async () => {
    renderSending({ takesUpdates: true })
    await userEvent.click(screen.getByRole('checkbox', { name: /This is a full file/ }))
    const request = await choose()
    expect(request.opened[1]).toBe('/api/connections/1/file?name=stock%20%26%20more.csv&full=true')
    await request.answer(202, { id: 7 })
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false)
  })

  it('takes no other file meanwhile, but keeps the focus', async () => {
    renderSending()
    drop().focus()
    await choose()
    expect(drop().getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(drop())
    expect(input().disabled).toBe(true)
  })

  it('says why a file was not taken, until the next one is', async () => {
    const onSent = renderSending()
    await (await choose()).answer(413, { message: 'The file is larger than 256 MB.' })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The file is larger than 256 MB.')
    FakeRequest.sent = []
    await (await choose()).answer(202, { id: 8 })
    await waitFor(() => expect(onSent).toHaveBeenCalledOnce())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('refuses two files at once with the reason', async () => {
    renderSending()
    const both = [stock, new File(['x'], 'other.csv')]
    const items = both.map((file) => ({ kind: 'file', type: file.type, getAsFile: () => file }))
    fireEvent.drop(drop(), { dataTransfer: { files: both, items, types: ['Files'] } })
    await waitFor(() => expect(getToast()?.description).toBe('Drop one file at a time'))
    dismissToast()
    expect(FakeRequest.sent).toEqual([])
  })

  it('takes nothing while it is disabled', () => {
    renderSending({ isDisabled: true })
    expect(input().disabled).toBe(true)
    expect(drop().getAttribute('aria-disabled')).toBe('true')
  })
})
