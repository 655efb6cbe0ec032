import type { Parent } from '../parent'
import type { MailDesk, MailOutcome } from './mail-desk'
import { MAIL_PIECE_BYTES } from './messages'

type Reply = Awaited<ReturnType<Parent['ask']>>['answer']

/** The desk as this process has it: its parent decides, and takes the bytes as it can. */
export function createRemoteMailDesk(parent: Parent): MailDesk {
  let lastMail = 0
  return {
    async findRecipient(addresses) {
      const { answer } = await parent.ask({ type: 'find-recipient', addresses: [...addresses] })
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
  parent: Parent,
  mail: number,
  body: AsyncIterable<Buffer>,
): Promise<MailOutcome> {
  for await (const whole of body) {
    for (let start = 0; start < whole.length; start += MAIL_PIECE_BYTES) {
      const piece = whole.subarray(start, start + MAIL_PIECE_BYTES)
      const { answer } = await parent.ask({ type: 'mail-piece', mail }, [piece])
      if (answer.type !== 'done') return toOutcome(answer)
    }
  }
  return toOutcome((await parent.ask({ type: 'mail-end', mail })).answer)
}

function toOutcome(answer: Reply): MailOutcome {
  if (answer.type !== 'mail-outcome')
    throw new Error('The parent gives another answer than was asked for')
  return { kind: answer.outcome, text: answer.text }
}
