import type { Role } from '../../shared/constants'
import type { Config } from '../config'
import { ADDRESS_REFUSED } from '../files/fetch/address-rules'
import { isLoopback } from '../web-address'

const ADVICE = 'To allow this one, add its host and port to the setting FETCH_ALLOW of the server.'

/**
 * The reason why a source or a webhook cannot be reached, as a reader of this role is told it. Of a private
 * address, administrators also learn how to allow it, and so does everybody who has the product on their
 * own machine. Others cannot change the settings of the server.
 */
export function withFetchAllowAdvice<Reason extends string | null | undefined>(
  role: Role,
  reason: Reason,
  config: Config,
): Reason | string {
  const canAllow = role === 'SUPER_ADMIN' || isOnOwnMachine(config)
  return reason?.endsWith(ADDRESS_REFUSED) && canAllow ? `${reason} ${ADVICE}` : reason
}

/** Whether the product answers on this machine only, and not behind a proxy for others. */
function isOnOwnMachine({ host, publicUrl }: Config): boolean {
  const names = [host, publicUrl === undefined ? host : new URL(publicUrl).hostname]
  return names.every(isLoopback)
}
