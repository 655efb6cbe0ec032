import type { Deps } from '../../../domain/deps'

const PURPOSE = 'stockbridge address to which mailed files come back'
const PURPOSE_OF_MARK = 'stockbridge mark of the address of a mailed file'
const MARK_DIGITS = 6
/** 112 bits: with it, the part before the domain has less than the 64 characters that it may have. */
const HMAC_BYTES = 14
const LOCAL =
  /^bounce\+([\da-z]{1,7})\.([\da-z]{1,7})\.([\da-z]{1,7})\.([\da-f]{6})\.([\da-f]{28})$/

/** A file on its way to one person by mail. */
export type ReturnedMail = {
  dispatchId: number
  /** When it was made, in whole seconds since 1970: after a restore its id may be another one's. */
  madeAtSeconds: number
  userId: number
  /** Tells whether the person still has the address. */
  mark: string
}

type Of = { dispatch: { id: number; createdAt: number }; userId: number; address: string }

/**
 * Where mail servers report what has become of a mail with a file; undefined where no mails are received. Nobody guesses
 * it, and nothing of it is stored.
 */
export function createReturnAddress(
  deps: Deps,
  { dispatch, userId, address }: Of,
): string | undefined {
  const { mailInboxDomain: domain, smtpInbox, imap, mailInboxSecret } = deps.config
  if (domain === null || !(smtpInbox ?? imap ?? mailInboxSecret)) return undefined
  const mark = markOf(deps, address)
  const mail = { dispatchId: dispatch.id, madeAtSeconds: toSeconds(dispatch.createdAt), userId }
  const text = toText({ ...mail, mark })
  const hmac = deps.secrets.sign(text, PURPOSE).hmac.slice(0, 2 * HMAC_BYTES)
  return `bounce+${text}.${hmac}@${domain}`
}

/** Which mail an address is of; undefined for one that was not made here. */
export function readReturnAddress(
  { config, secrets }: Pick<Deps, 'config' | 'secrets'>,
  address: string,
): ReturnedMail | undefined {
  const text = address.trim().replaceAll(/^<|>$/g, '').toLowerCase()
  const at = text.lastIndexOf('@')
  if (config.mailInboxDomain === null || text.slice(at + 1) !== config.mailInboxDomain) {
    return undefined
  }
  const [, dispatchId, userId, madeAt, mark = '', hmac = ''] = LOCAL.exec(text.slice(0, at)) ?? []
  if (dispatchId === undefined || userId === undefined || madeAt === undefined) return undefined
  const signed = `${dispatchId}.${userId}.${madeAt}.${mark}`
  if (!secrets.isSigned(signed, PURPOSE, hmac, HMAC_BYTES)) return undefined
  const [id, user, seconds] = [dispatchId, userId, madeAt].map((part) => Number.parseInt(part, 36))
  return { dispatchId: id ?? 0, userId: user ?? 0, madeAtSeconds: seconds ?? 0, mark }
}

/** Whether a mail went to an address. */
export const isMarkOf = (deps: Deps, mark: string, address: string): boolean =>
  deps.secrets.isSigned(address, PURPOSE_OF_MARK, mark, MARK_DIGITS / 2)

export const toSeconds = (at: number): number => Math.floor(at / 1_000)

const markOf = ({ secrets }: Deps, address: string): string =>
  secrets.sign(address, PURPOSE_OF_MARK).hmac.slice(0, MARK_DIGITS)

const toText = ({ dispatchId, userId, madeAtSeconds, mark }: ReturnedMail): string =>
  [...[dispatchId, userId, madeAtSeconds].map((part) => part.toString(36)), mark].join('.')
