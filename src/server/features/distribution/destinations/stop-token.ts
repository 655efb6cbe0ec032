import type { Deps } from '../../../domain/deps'

const PURPOSE = 'stockbridge link that ends files by mail'
const TOKEN = /^([1-9]\d{0,14})\.([1-9]\d{0,14})-([\da-f]{64})$/

/** Who gets the files of a destination by mail, and where. */
type Recipient = { destinationId: number; userId: number; address: string }

/** With it, whoever has a mail ends further ones of its destination to its address. */
export const createStopToken = (deps: Deps, recipient: Recipient): string =>
  `${recipient.destinationId}.${recipient.userId}-${deps.secrets.sign(toText(recipient), PURPOSE).hmac}`

/** Whom a token names; undefined for what is none. Whether it is genuine is checked below. */
export function readStopToken(token: string) {
  const [, destinationId, userId] = TOKEN.exec(token) ?? []
  if (destinationId === undefined || userId === undefined) return undefined
  return { destinationId: Number(destinationId), userId: Number(userId) }
}

export function isStopTokenOf(deps: Deps, token: string, recipient: Recipient): boolean {
  const hmac = TOKEN.exec(token)?.[3] ?? ''
  return deps.secrets.isSigned(toText(recipient), PURPOSE, hmac)
}

const toText = ({ destinationId, userId, address }: Recipient) =>
  `${destinationId} ${userId} ${address}`
