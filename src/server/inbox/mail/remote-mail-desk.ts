import type { MailDesk, MailOutcome } from './mail-desk'
import { MAIL_PIECE_BYTES, type MailAnswer, type MailNews, type MailQuestion } from './messages'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
type Answer = MailAnswer | { type: 'done' }

/** How the parent is asked, and told. */
export interface MailParent {
  /** @throws when it cannot answer */
  askOfMail(question: WithoutId<MailQuestion>, bytes?: readonly Uint8Array[]): Promise<Answer>
  tell(news: MailNews): void
}

/** The desk as this process has it: its parent decides, and takes the bytes as it can. */
export function createRemoteMailDesk(parent: MailParent): MailDesk {
  let lastMail = 0
  return {
    async findRecipient(addresses) {
      const answer = await parent.askOfMail({ type: 'find-recipient', addresses: [...addresses] })
      return answer.type === 'recipient' ? (answer.recipient ?? undefined) : undefined
    },
    async receive({ recipient, socket }, body, signal) {
      signal.throwIfAborted()
      const mail = ++lastMail
      const aborted = Promise.withResolvers<never>()
      aborted.promise.catch(() => undefined)
      const abort = () => aborted.reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      parent.tell({ type: 'mail-begin', mail, recipient, socket })
      try {
        return await Promise.race([send(parent, mail, body), aborted.promise])
      } catch (error) {
        parent.tell({ type: 'mail-drop', mail })
        throw error
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
  }
}

/** Sends one piece after the other, each once the one before was taken, until the mail is judged. */
async function send(
  parent: MailParent,
  mail: number,
  body: AsyncIterable<Buffer>,
): Promise<MailOutcome> {
  for await (const whole of body) {
    for (let start = 0; start < whole.length; start += MAIL_PIECE_BYTES) {
      const piece = whole.subarray(start, start + MAIL_PIECE_BYTES)
      const answer = await parent.askOfMail({ type: 'mail-piece', mail }, [piece])
      if (answer.type !== 'done') return toOutcome(answer)
    }
  }
  return toOutcome(await parent.askOfMail({ type: 'mail-end', mail }))
}

function toOutcome(answer: Answer): MailOutcome {
  if (answer.type !== 'mail-outcome')
    throw new Error('The parent gives another answer than was asked for')
  return { kind: answer.outcome, text: answer.text }
}
