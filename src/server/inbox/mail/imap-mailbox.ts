import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { ImapFlow } from 'imapflow'

import { MAX_MAIL_BYTES } from '../../../shared/constants'
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import { createAccessTokens } from './access-token'
import type { MailDesk, MailOutcome } from './mail-desk'
import { findRecipients, RECIPIENT_HEADERS } from './recipients'
import type { ImapSettings } from './settings'

/** By which programs see which mails were read here. */
const READ_KEYWORD = '$StockbridgeRead'
/** A mailbox is looked into so often, whatever its server tells. */
const LOOK_EVERY_MS = MINUTE_MS
const FIRST_RETRY_MS = 5 * SECOND_MS
const LAST_RETRY_MS = 5 * MINUTE_MS
/** A server that is silent for so long in the middle of an answer is gone. */
const SILENCE_MS = 60 * SECOND_MS
const CONNECT_WITHIN_MS = 30 * SECOND_MS
/** Between two commands of ours it is not asked to tell of new mails. */
const IDLE_AFTER_MS = 1 * SECOND_MS
const PIECE_BYTES = 256 * 1024
const MAX_LITERAL_BYTES = 2 * 1024 * 1024
const MAX_LINE_BYTES = 8 * 1024 * 1024
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024
/** Mails that are looked at between two searches. */
const MAX_MAILS_A_LOOK = 1_000

export type ImapState = { kind: 'connected' } | { kind: 'failed'; text: string }

interface Watch {
  settings: ImapSettings
  desk: MailDesk
  /** Told when it works, or does not, but not what it was told before. */
  onState: (state: ImapState) => void
  signal: AbortSignal
  /** For tests. */
  times?: { retryMs?: number; silenceMs?: number; lookEveryMs?: number }
}

/** Reads the mails of a mailbox as they come, until it is told to stop. It connects anew after any failure. */
export async function watchMailbox(watch: Watch): Promise<void> {
  const { settings, onState, signal, times } = watch
  const tokens = settings.tokens && createAccessTokens(settings.tokens)
  const firstRetryMs = times?.retryMs ?? FIRST_RETRY_MS
  let retryMs = firstRetryMs
  let told = ''
  const tell = (state: ImapState) => {
    const text = JSON.stringify(state)
    if (text !== told) onState(state)
    told = text
  }
  while (!signal.aborted) {
    try {
      await readUntilBroken(watch, tokens, () => {
        retryMs = firstRetryMs
        tell({ kind: 'connected' })
      })
    } catch (error) {
      if (signal.aborted) return
      if (isSignInFailure(error)) tokens?.forget()
      tell({ kind: 'failed', text: explain(error) })
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }
}

/** Signs in, and opens the folder. @throws Error when that fails */
export async function tryMailbox(settings: ImapSettings, signal: AbortSignal): Promise<void> {
  const tokens = settings.tokens && createAccessTokens(settings.tokens)
  const client = createClient(settings, await tokens?.get(signal), SILENCE_MS)
  try {
    await client.connect()
    await openFolder(client, settings)
  } catch (error) {
    throw new Error(explain(error), { cause: error })
  } finally {
    client.close()
  }
}

type Tokens = ReturnType<typeof createAccessTokens> | null

async function readUntilBroken(
  { settings, desk, signal, times }: Watch,
  tokens: Tokens,
  onConnected: () => void,
): Promise<void> {
  const client = createClient(settings, await tokens?.get(signal), times?.silenceMs ?? SILENCE_MS)
  const broken = new AbortController()
  const stop = () => client.close()
  client.on('error', (error: Error) => broken.abort(error))
  client.on('close', () => broken.abort(new Error('The server has ended the connection')))
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    await openFolder(client, settings)
    onConnected()
    const working = AbortSignal.any([signal, broken.signal])
    for (;;) {
      working.throwIfAborted()
      const lookedAt = new AbortController()
      const waking = AbortSignal.any([working, lookedAt.signal])
      const news = once(client, 'exists', { signal: waking }).catch(() => undefined)
      await readNewMails(client, settings, desk, working)
      await Promise.race([
        news,
        sleep(times?.lookEveryMs ?? LOOK_EVERY_MS, undefined, { signal: waking }).catch(
          () => undefined,
        ),
      ])
      lookedAt.abort()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

function createClient(
  { host, port, security, username, password }: ImapSettings,
  accessToken: string | undefined,
  silenceMs: number,
): ImapFlow {
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    auth: {
      user: username,
      ...(accessToken === undefined ? { pass: password ?? '' } : { accessToken }),
    },
    tls: { minVersion: 'TLSv1.2' },
    // Compressed answers could be a thousand times as long as what came.
    disableCompression: true,
    logger: false,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: silenceMs,
    autoIdleDelay: IDLE_AFTER_MS,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxLineLength: MAX_LINE_BYTES,
    maxResponseSize: MAX_RESPONSE_BYTES,
  })
  client.on('error', () => undefined)
  return client
}

async function openFolder(client: ImapFlow, { folder, doneFolder }: ImapSettings): Promise<void> {
  const unusable = (name: string) => (error: unknown) => {
    throw client.usable ? new Error(`The folder ${name} cannot be opened`, { cause: error }) : error
  }
  if (doneFolder !== null) await client.mailboxCreate(doneFolder).catch(unusable(doneFolder))
  const { readOnly } = await client.mailboxOpen(folder).catch(unusable(folder))
  if (readOnly) throw new Error(`The folder ${folder} can only be read, so mails cannot be marked`)
}

/** Reads what is neither seen nor flagged, the oldest first. */
async function readNewMails(
  client: ImapFlow,
  settings: ImapSettings,
  desk: MailDesk,
  signal: AbortSignal,
): Promise<void> {
  const found = await client.search({ seen: false, flagged: false }, { uid: true })
  const uids = (found || []).toSorted((one, other) => one - other).slice(0, MAX_MAILS_A_LOOK)
  // What came later for the same address waits, so that the newest file counts in the end.
  const waiting = new Set<string>()
  for (const uid of uids) {
    signal.throwIfAborted()
    const mail = await readEnvelope(client, uid)
    if (!mail) continue
    const recipient = await desk.findRecipient(mail.recipients)
    if (recipient === undefined) await refuse(client, uid)
    else if (!waiting.has(recipient)) {
      const outcome = await receive(client, { uid, size: mail.size, recipient }, desk, signal)
      if (outcome.kind === 'settled') await settle(client, uid, settings)
      else if (outcome.kind === 'refused') await refuse(client, uid)
      else waiting.add(recipient)
    }
  }
}

async function readEnvelope(client: ImapFlow, uid: number) {
  const query = { size: true, headers: [...RECIPIENT_HEADERS] }
  const mail = await client.fetchOne(String(uid), query, { uid: true })
  // It was moved or deleted meanwhile.
  if (!mail) return undefined
  return {
    size: mail.size ?? 0,
    recipients: findRecipients(mail.headers?.toString('latin1') ?? ''),
  }
}

type NewMail = { uid: number; size: number; recipient: string }

async function receive(
  client: ImapFlow,
  { uid, size, recipient }: NewMail,
  desk: MailDesk,
  signal: AbortSignal,
): Promise<MailOutcome> {
  const tooLarge: MailOutcome = { kind: 'refused', text: 'The mail is too large' }
  if (size > MAX_MAIL_BYTES) return tooLarge
  const download = await client.download(String(uid), undefined, {
    uid: true,
    chunkSize: PIECE_BYTES,
  })
  const { content } = download
  if (!content) return { kind: 'later', text: 'The mail is gone' }
  let isTooLarge = false
  async function* read(): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const piece of content!) {
      bytes += (piece as Buffer).length
      isTooLarge = bytes > MAX_MAIL_BYTES
      if (isTooLarge) throw new Error('The mail is too large')
      yield piece as Buffer
    }
  }
  try {
    return await desk.receive({ recipient, socket: 'imap' }, read(), signal)
  } catch (error) {
    signal.throwIfAborted()
    if (isTooLarge) return tooLarge
    throw error
  } finally {
    content.destroy()
  }
}

/** From here on the mail is not read again. */
async function settle(client: ImapFlow, uid: number, { doneFolder }: ImapSettings): Promise<void> {
  const mail = String(uid)
  await mark(client, mail, ['\\Seen'])
  // Not every server keeps keywords.
  await client.messageFlagsAdd(mail, [READ_KEYWORD], { uid: true })
  if (doneFolder !== null) await client.messageMove(mail, doneFolder, { uid: true })
}

/** Leaves a mail where people find it. */
const refuse = (client: ImapFlow, uid: number) => mark(client, String(uid), ['\\Flagged'])

async function mark(client: ImapFlow, mail: string, flags: string[]): Promise<void> {
  if (await client.messageFlagsAdd(mail, flags, { uid: true })) return
  // Without the mark it would be read again and again.
  if (await client.fetchOne(mail, { uid: true }, { uid: true })) {
    throw new Error('The server does not mark mails')
  }
}

const isSignInFailure = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'authenticationFailed' in error

/** What has gone wrong, without what a server has sent. */
function explain(error: unknown): string {
  if (isSignInFailure(error)) return 'The server does not accept the user and the password or token'
  const { message, code } = error as Error & { code?: unknown }
  return typeof code === 'string' ? `${message} (${code})`.slice(0, 500) : message.slice(0, 500)
}
