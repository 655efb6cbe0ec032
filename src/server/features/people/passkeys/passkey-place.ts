import { isIP } from 'node:net'

import type { Config } from '../../../config'
import { DomainError } from '../../../domain/errors'
import { withoutBrackets } from '../../../files/fetch/address-rules'

/** The origin at which browsers use passkeys, and its host, to which each passkey belongs. */
export type PasskeyPlace = { origin: string; host: string }

/**
 * Where passkeys work: at the product's own address or, where none is set, at the one by which it was called.
 * Browsers refuse them at IP addresses and, but for localhost, without HTTPS.
 */
export function findPasskeyPlace(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  calledAt: string,
): PasskeyPlace | undefined {
  const address = publicUrl ?? calledAt
  if (!URL.canParse(address)) return undefined
  const { origin, protocol, hostname } = new URL(address)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure && isIP(withoutBrackets(hostname)) === 0 ? { origin, host: hostname } : undefined
}

/** @throws DomainError NOT_CONFIGURED where browsers use none */
export function requirePasskeyPlace(
  config: Pick<Config, 'publicUrl'>,
  calledAt: string,
): PasskeyPlace {
  const place = findPasskeyPlace(config, calledAt)
  if (place) return place
  throw new DomainError(
    'NOT_CONFIGURED',
    'Passkeys need an address with a name, over HTTPS. The administrator sets it as PUBLIC_URL.',
  )
}
