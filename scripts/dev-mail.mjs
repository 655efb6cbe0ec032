// The mail server of npm run dev: prints what it is sent, and sends nothing on.
import { SMTPServer } from 'smtp-server'

/**
 * Starts it on a free loopback port.
 * @param {(text: string) => void} print receives each mail as text
 * @returns {Promise<{ url: string, close(): Promise<void> }>} `url` for `SMTP_URL`
 */
export async function startDevMail(print) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      /** @type {Buffer[]} */
      const chunks = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
        print(`Mail to ${to}\n${readMail(Buffer.concat(chunks).toString())}`)
        done()
      })
    },
  })
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve(undefined))),
  }
}

/** The subject and the plain text of a mail as the product writes it. @param {string} source */
function readMail(source) {
  const { head, body } = split(source)
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1]?.replaceAll('\r\n', '') ?? ''
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1]
  const parts = boundary === undefined ? [source] : body.split(`--${boundary}`)
  const text = split(parts.find((part) => /^Content-Type: text\/plain/im.test(part)) ?? source)
  return `Subject: ${decodeWords(subject)}\n\n${decode(text.head, text.body).trim()}`
}

/** @param {string} part */
function split(part) {
  const end = part.indexOf('\r\n\r\n')
  return { head: part.slice(0, end), body: part.slice(end + 4) }
}

/** @param {string} head @param {string} body */
function decode(head, body) {
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  return decodeQuoted(body.replaceAll('=\r\n', ''))
}

/**
 * The encoded words of a header (RFC 2047), in UTF-8 as nodemailer writes them. White space between two of them is no
 * part of the text. @param {string} text
 */
function decodeWords(text) {
  return text
    .replaceAll(/\?=[ \t]+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding, content) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString()
        : decodeQuoted(content.replaceAll('_', ' ')),
    )
}

/** @param {string} text */
function decodeQuoted(text) {
  return text.replaceAll(/(?:=[0-9A-F]{2})+/g, (codes) =>
    Buffer.from(codes.replaceAll('=', ''), 'hex').toString(),
  )
}
