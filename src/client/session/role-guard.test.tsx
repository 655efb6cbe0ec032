import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'

import { Refusal, renderWithAnswers, supplierUser } from '../testing/render-app'
import { trpc } from '../trpc'
import { RoleGuard } from './role-guard'

function Page() {
  const utils = trpc.useUtils()
  const session = trpc.session.current.useQuery()
  return (
    <>
      <button onClick={() => void utils.session.current.invalidate()}>Fetch</button>
      <p>{session.isError ? 'Not fetched' : 'Fetched'}</p>
    </>
  )
}

const guard = { role: 'SUPPLIER', forbidden: null, shell: (page: ReactNode) => page } as const

const renderGuard = (answer: () => unknown) =>
  renderWithAnswers(
    <RoleGuard {...guard}>
      <Page />
    </RoleGuard>,
    { 'session.current': answer },
  )

describe('RoleGuard', () => {
  it('says that the account could not be loaded', async () => {
    renderGuard(() => Promise.reject(new Refusal(500, 'No')))
    expect(await screen.findByText('Your account could not be loaded')).toBeDefined()
  })

  it('keeps the page of a known user when a later fetch fails', async () => {
    let isUp = true
    renderGuard(() => {
      if (!isUp) throw new Refusal(500, 'No')
      return supplierUser
    })
    const fetchAgain = await screen.findByRole('button', { name: 'Fetch' })
    isUp = false
    await userEvent.click(fetchAgain)
    await waitFor(() => expect(screen.queryByText('Fetched')).toBeNull())
    expect(screen.getByText('Not fetched')).toBeDefined()
  })
})
