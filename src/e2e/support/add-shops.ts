import type { Stage, Supplier } from './stage'

/** Adds retailers that never sign in, without the second that each would take by a call. */
export function addShops(stage: Stage, { id: supplierId }: Supplier, count: number): Promise<void> {
  return stage.write(async (trx) => {
    for (let number = 0; number < count; number += 1) {
      const username = `shop-${number}`
      const { id: userId } = await trx
        .insertInto('users')
        .values({ username, usernameKey: username, role: 'RETAILER', createdAt: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await trx
        .insertInto('retailers')
        .values({ userId, supplierId, syncFrequencyMinutes: 60, createdAt: 0 })
        .execute()
    }
  })
}
