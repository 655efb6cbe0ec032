import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { Connection } from '../../../shared/schemas/connection'
import { renderInTheme } from '../../testing/render'
import { ConnectionHealth } from './connection-health'

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS + 60_000).toISOString()

const healthy: Connection = {
  id: 1,
  supplierId: 2,
  name: 'Spring catalogue',
  type: 'URL',
  config: { url: 'https://example.com/inventory.csv', auth: { type: 'none' } },
  fileFormat: 'CSV',
  syncFrequency: 60,
  lastSync: inHours(-2),
  isActive: true,
  createdAt: inHours(-48),
  status: 'synced',
  lastAttemptAt: inHours(-2),
  lastError: null,
  nextSyncAt: inHours(3),
  consecutiveFailures: 0,
  categoryReading: null,
}

describe('the health of a connection', () => {
  it('says in words how the last sync went and when the next one is', () => {
    renderInTheme(<ConnectionHealth connection={healthy} />)
    expect(screen.getByText('Synced')).toBeDefined()
    expect(screen.getByText('in 3 hours')).toBeDefined()
  })

  it('gives the reason of a failure and what retailers still have', () => {
    renderInTheme(
      <ConnectionHealth
        connection={{
          ...healthy,
          status: 'failed',
          lastError: 'The server answered 404 Not Found.',
          consecutiveFailures: 3,
        }}
      />,
    )
    expect(screen.getByText('Failed')).toBeDefined()
    expect(screen.getByText('The server answered 404 Not Found.')).toBeDefined()
    expect(screen.getByText(/3 attempts in a row have failed/).textContent).toContain(
      'Retailers keep the last good file',
    )
  })

  it('plans nothing while the connection is not active', () => {
    renderInTheme(
      <ConnectionHealth connection={{ ...healthy, isActive: false, status: 'paused' }} />,
    )
    expect(screen.getByText('Paused')).toBeDefined()
    expect(screen.getByText('Not scheduled')).toBeDefined()
  })
})
