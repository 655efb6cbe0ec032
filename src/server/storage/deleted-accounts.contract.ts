import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { DeletedAccounts } from './deleted-accounts'

type Opened = { store: DeletedAccounts; other: DeletedAccounts; close(): Promise<void> }

/** The behaviour of every place of deleted accounts; `other` is opened on the same one. */
export function describeDeletedAccounts(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())

    it('keeps what any process has added, in whatever order and however often', async () => {
      const { store, other } = opened
      expect(await store.list()).toEqual([])
      const one = { what: 'account', id: 7, createdAt: 1_700_000_000_000 } as const
      const login = { what: 'login', id: 8, createdAt: 0 } as const
      await Promise.all([store.add(one), other.add(login), other.add(one)])
      const listed = await other.list()
      expect(new Set(listed.map((account) => JSON.stringify(account)))).toEqual(
        new Set([one, login].map((account) => JSON.stringify(account))),
      )
    })
  })
}
