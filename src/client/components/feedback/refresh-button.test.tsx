import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { RefreshButton } from './refresh-button'

it('is busy while a press reads the list, not while the background does', async () => {
  const answers: (() => void)[] = []
  function List() {
    const list = useQuery({
      queryKey: ['list'],
      queryFn: () => new Promise<number>((resolve) => answers.push(() => resolve(answers.length))),
    })
    return (
      <>
        <p>{list.isRefetching ? 'Reading' : `Read ${String(list.data)}`}</p>
        <button type="button" onClick={() => void list.refetch()}>
          In the background
        </button>
        <RefreshButton onRefresh={list.refetch} />
      </>
    )
  }
  renderInTheme(<List />)
  const button = screen.getByRole('button', { name: 'Refresh' })
  const isBusy = () => button.getAttribute('data-loading') === 'true'
  act(() => answers[0]?.())
  await screen.findByText('Read 1')

  await userEvent.click(screen.getByRole('button', { name: 'In the background' }))
  await screen.findByText('Reading')
  expect(isBusy()).toBe(false)
  act(() => answers[1]?.())
  await screen.findByText('Read 2')

  await userEvent.click(button)
  expect(isBusy()).toBe(true)
  act(() => answers[2]?.())
  await waitFor(() => expect(isBusy()).toBe(false))
})
