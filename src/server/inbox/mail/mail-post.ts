import { withCaller } from '../../domain/caller'
import type { Deps } from '../../domain/deps'
import { toRefusal } from '../../domain/refusal'
import { readReturnAddress } from '../../features/distribution/destinations/return-address'
import { findMailInbox } from '../../features/publication/mailed-files/find-mail-inbox'
import { isForLater, receiveMail } from '../../features/publication/mailed-files/receive-mail'
import { createArrivingBody, type ArrivingBody } from '../arriving-body'
import type { MailOutcome } from './mail-desk'
import type { MailAnswer, MailNews, MailQuestion } from './messages'

/** More than the inbox ever takes at once. */
const MAX_MAILS = 500

type Arriving = { body: ArrivingBody; outcome: Promise<MailOutcome>; ending: AbortController }
type Answer = MailAnswer | { type: 'done'; id: number }

/** Receives the mails that come to the inbox: what it is told of an address, and of a mail, is all that it knows. */
export function createMailPost(deps: Deps) {
  const mails = new Map<number, Arriving>()

  async function find(addresses: readonly string[]): Promise<string | null> {
    for (const address of addresses) {
      if (readReturnAddress(deps, address) ?? (await findMailInbox(deps, address))) return address
    }
    return null
  }

  function begin({ mail, recipient }: MailNews & { type: 'mail-begin' }): void {
    if (mails.has(mail) || mails.size >= MAX_MAILS) return
    const body = createArrivingBody()
    const ending = new AbortController()
    const arriving = { recipient, body: body.read(), signal: ending.signal }
    const caller = { origin: 'web', actor: null, address: null } as const
    const outcome = withCaller(caller, () => receive(arriving))
    // What has been judged needs no more bytes.
    void outcome.then(() => body.stop())
    mails.set(mail, { body, outcome, ending })
  }
  async function receive(mail: Parameters<typeof receiveMail>[1]): Promise<MailOutcome> {
    try {
      const settled = await receiveMail(deps, mail)
      return { kind: 'settled', text: SETTLED_TEXTS[settled] }
    } catch (error) {
      const refusal = toRefusal(error)
      if (!refusal && !mail.signal.aborted)
        deps.logger.error({ err: error }, 'A mail could not be received')
      const text = refusal?.message ?? 'Something went wrong here, try again later'
      return { kind: isForLater(error) ? 'later' : 'refused', text }
    }
  }
  function drop(mail: number): void {
    const arriving = mails.get(mail)
    mails.delete(mail)
    if (!arriving) return
    const gone = new Error('The mail was broken off')
    // One that has come whole is received all the same: its sender sends it again, and it is known then.
    if (arriving.body.fail(gone)) arriving.ending.abort(gone)
  }

  return {
    async answer(question: MailQuestion, bytes: readonly Buffer[]): Promise<Answer> {
      const { id } = question
      if (question.type === 'find-recipient') {
        return { type: 'recipient', id, recipient: await find(question.addresses) }
      }
      const arriving = mails.get(question.mail)
      if (!arriving) return { type: 'mail-outcome', id, outcome: 'later', text: 'Try again later' }
      if (question.type === 'mail-piece' && (await arriving.body.add(bytes)))
        return { type: 'done', id }
      if (question.type === 'mail-end') arriving.body.end()
      const { kind, text } = await arriving.outcome
      mails.delete(question.mail)
      return { type: 'mail-outcome', id, outcome: kind, text }
    },
    take(news: Extract<MailNews, { mail: number }>): void {
      if (news.type === 'mail-begin') begin(news)
      else drop(news.mail)
    },
    /** The inbox has ended. Resolves once what has come whole is received. */
    async close(): Promise<void> {
      const outcomes = [...mails.values()].map(({ outcome }) => outcome)
      for (const mail of mails.keys()) drop(mail)
      await Promise.allSettled(outcomes)
    },
    count: () => mails.size,
  }
}

const SETTLED_TEXTS = {
  taken: 'The file is taken',
  waiting: 'The file waits until somebody has decided',
  noted: 'The report is noted',
  // Whoever sends one is not told what is known of it.
  dropped: 'The report is noted',
}
