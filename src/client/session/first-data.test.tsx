import { useQueryClient } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'

import { FIRST_DATA_ID, type FirstData } from '../../shared/first-data'
import { adminUser, renderWithAnswers, supplierUser } from '../testing/render-app'
import { trpc } from '../trpc'
import { takeFirstData, useConfirmFirstData } from './first-data'

afterEach(() => document.getElementById(FIRST_DATA_ID)?.remove())

const readers = (activeCount: number) => ({ readers: activeCount })
const LIST = { q: '', page: 1, size: 50 } as const

/** A page that has brought data with it, whose stream of changes begins with a click. */
function Page() {
  const queryClient = useQueryClient()
  useState(() => takeFirstData(queryClient))
  const confirm = useConfirmFirstData()
  const session = trpc.session.current.useQuery()
  const list = trpc.suppliers.page.useQuery({ ...LIST, sort: undefined })
  const alerts = trpc.alerts.list.useQuery()
  return (
    <button onClick={confirm}>
      {JSON.stringify([session.data?.username, list.data, alerts.data])}
    </button>
  )
}

const shown = () => screen.getByRole('button').textContent

function renderPage(data: FirstData, answers: Record<string, unknown>) {
  const element = document.createElement('script')
  element.id = FIRST_DATA_ID
  element.type = 'application/json'
  element.textContent = JSON.stringify(data)
  document.body.append(element)
  const calls: string[] = []
  const answer = (path: string) => () => {
    calls.push(path)
    return answers[path]
  }
  const paths = ['session.current', 'suppliers.page', 'alerts.list']
  renderWithAnswers(<Page />, Object.fromEntries(paths.map((path) => [path, answer(path)])))
  return calls
}

const brought: FirstData = [
  { path: 'session.current', data: adminUser },
  { path: 'suppliers.page', input: LIST, data: readers(1) },
  { path: 'alerts.list', data: 'alerts' },
]

it('shows what the page has brought without a call, and asks once more for what may have changed since', async () => {
  const calls = renderPage(brought, { 'session.current': adminUser, 'suppliers.page': readers(2) })
  expect(shown()).toBe('["admin",{"readers":1},"alerts"]')
  expect(calls).toEqual([])
  await userEvent.click(screen.getByRole('button'))
  await expect.poll(shown).toBe('["admin",{"readers":2},"alerts"]')
  await userEvent.click(screen.getByRole('button'))
  expect(calls.toSorted()).toEqual(['session.current', 'suppliers.page'])
})

it('keeps nothing of what the page has brought when somebody else has signed in since', async () => {
  renderPage(brought, {
    'session.current': supplierUser,
    'suppliers.page': 'refused',
    'alerts.list': 'other alerts',
  })
  await userEvent.click(screen.getByRole('button'))
  await expect.poll(shown).toBe('["northbeck","refused","other alerts"]')
})

it('keeps nothing either when the next one signs in for the same company', async () => {
  const member = { ...supplierUser, username: 'ed', member: { id: 7, role: 'EDITOR' as const } }
  renderPage([{ path: 'session.current', data: supplierUser }, ...brought.slice(1)], {
    'session.current': member,
    'suppliers.page': 'refused',
    'alerts.list': 'alerts of ed',
  })
  await userEvent.click(screen.getByRole('button'))
  await expect.poll(shown).toBe('["ed","refused","alerts of ed"]')
})
