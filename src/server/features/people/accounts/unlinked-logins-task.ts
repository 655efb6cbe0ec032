import { MINUTE_MS } from '../../../../shared/durations'
import { formatCountOf } from '../../../../shared/format'
import type { CronTask } from '../../../domain/deps'
import { removeUnlinkedLogins } from './registration'

export const unlinkedLoginsTask: CronTask = {
  name: 'remove-unlinked-logins',
  description: 'Removes retailer logins that were not linked to a store within a day',
  schedule: '47 * * * *',
  timeoutMs: MINUTE_MS,
  run: async (deps) => `${formatCountOf(await removeUnlinkedLogins(deps), 'login')} removed`,
}
