import type { Deps } from '../../../domain/deps'

const PURPOSE = 'stockbridge unsubscribe link'
const TOKEN = /^([1-9]\d{0,14})-([\da-f]{64})$/

/** The user who gets mail at an address. */
type Recipient = { userId: number; address: string }

/** With it, whoever has a mail ends further ones to its address, for as long as that is the user's. */
export const createUnsubscribeToken = (deps: Deps, recipient: Recipient): string =>
  `${recipient.userId}-${deps.secrets.sign(toSignedText(recipient), PURPOSE).hmac}`

/** The user that a token names; undefined for what is none. Whether it is genuine is checked below. */
export function readUnsubscribeToken(token: string): number | undefined {
  const id = TOKEN.exec(token)?.[1]
  return id === undefined ? undefined : Number(id)
}

export function isUnsubscribeTokenOf(deps: Deps, token: string, recipient: Recipient): boolean {
  const hmac = TOKEN.exec(token)?.[2] ?? ''
  return deps.secrets.isSigned(toSignedText(recipient), PURPOSE, hmac)
}

const toSignedText = ({ userId, address }: Recipient) => `${userId} ${address}`
