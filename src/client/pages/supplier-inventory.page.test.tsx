import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { Connection } from '../../shared/schemas/connection'
import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleConnection } from '../testing/sample-records'

const dataAsOf = '2026-01-15T08:30:00.000Z'
const published = {
  fileName: 'connection_1_spring.csv',
  columns: ['sku'],
  columnCount: 1,
  rows: [['A-1']],
  rowCount: 1,
  downloadDate: dataAsOf,
  dataAsOf,
  fileSize: 9,
  downloadUrl: '/api/connections/1/files/spring.csv',
}

function openPage(connections: Partial<Connection>[], search = '', answers: Answers = {}) {
  renderApp(`/supplier/inventory${search}`, supplierUser, {
    'connections.list': () => connections.map((fields) => ({ ...sampleConnection, ...fields })),
    'connections.inventory': () => published,
    ...answers,
  })
}

const findCard = () => screen.findByRole('region', { name: sampleConnection.name })

describe('the state of a connection in the Inventory Preview', () => {
  const held: Partial<Connection> = {
    status: 'held',
    freshness: 'held',
    lastSync: dataAsOf,
    lastError: 'The file has 60 % fewer rows.',
  }

  it.each<[string, Partial<Connection>]>([
    ['Synced', { status: 'synced', freshness: 'on-time' }],
    ['Stale', { status: 'stale', freshness: 'overdue' }],
    ['Held', held],
    ['Running', { ...held, status: 'running' }],
    ['Failed', { ...held, status: 'failed', consecutiveFailures: 2 }],
    ['Paused', { ...held, status: 'paused', freshness: 'paused' }],
    ['Delayed', { status: 'delayed', freshness: 'late', lastError: 'The server was busy.' }],
  ])('is %s, as on every other screen', async (word, fields) => {
    openPage([{ lastSync: dataAsOf, ...fields }])
    const card = within(await findCard())
    expect(await card.findByText(word)).toBeDefined()
    const states = card.queryAllByText(/^(?:synced|stale|held|running|failed|paused|delayed)$/i)
    expect(states.map(({ textContent }) => textContent)).toEqual([word])
  })

  it('says where to decide on a held file, also while the next sync runs or fails', async () => {
    openPage([{ ...held, status: 'failed', consecutiveFailures: 1 }])
    const card = within(await findCard())
    expect(await card.findByText(/A newer file is held/)).toBeDefined()
    expect(card.getByRole('link', { name: 'Connections' }).getAttribute('href')).toBe(
      '/supplier/connections',
    )
  })

  it('says beside the age of the data that it is overdue', async () => {
    openPage([{ status: 'failed', freshness: 'overdue', consecutiveFailures: 3 }])
    expect(await within(await findCard()).findByText('Overdue')).toBeDefined()
  })
})

describe('the Inventory Preview without anything to show', () => {
  it('leads a supplier without connections to the first one', async () => {
    openPage([])
    const link = await screen.findByRole('link', { name: 'Add Connection' })
    expect(link.getAttribute('href')).toBe('/supplier/connections?add=true')
    expect(screen.getByText('No Connection Selected')).toBeDefined()
    expect(screen.queryByText(/Select a connection/)).toBeNull()
  })

  it('asks to select one of several connections', async () => {
    openPage([{}, { id: 2, name: 'Autumn catalogue' }])
    expect(await screen.findByText('Select a connection to see its latest file.')).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Add Connection' })).toBeNull()
  })

  it('shows the only connection when the address names one that is gone', async () => {
    openPage([{}], '?connection=99')
    expect(await within(await findCard()).findByText('A-1')).toBeDefined()
  })

  it('leads to the connection when it has no file', async () => {
    openPage([{ status: 'never-run' }], '', {
      'connections.inventory': () => ({ message: 'No file has been published yet' }),
    })
    const link = await within(await findCard()).findByRole('link', { name: 'Open Connections' })
    expect(link.getAttribute('href')).toBe('/supplier/connections')
  })
})
