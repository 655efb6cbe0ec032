import { expect } from 'vitest'

import type { Supplier } from './stage'

/** Invites a retailer by a link that is shown; returns its path. */
export async function inviteRetailer(
  { rest }: Pick<Supplier, 'rest'>,
  storeName: string,
): Promise<string> {
  const { status, text } = await rest.send('POST', '/trpc/invitations.inviteRetailer', {
    storeName,
  })
  expect(status, text).toBe(200)
  return (JSON.parse(text) as { result: { data: { path: string } } }).result.data.path
}
