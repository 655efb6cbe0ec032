import { mapValues } from '../../fixtures/map-values'
import { TEXTS } from './texts'

const HEAD = 'From: a@b.example\nMIME-Version: 1.0\n'
const ATTACHED = 'Content-Type: text/csv; name=a.csv\n'

/** So many bytes of a line that is repeated. */
const filled = (line: string, size: number) => line.repeat(Math.ceil(size / line.length))

const mixed = (body: string) =>
  `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${body}\n--b--\n`

/** Multiparts in multiparts. */
const nested = (size: number) =>
  Array.from(
    { length: size / 60 },
    (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`,
  ).join('')

const header = (name: string, value: string) => `${HEAD}${name}: ${value}\n\ntext`

const HOSTILE: Record<string, (size: number) => string> = {
  'many parts': (size) => mixed(filled(`--b\n${ATTACHED}\n1\n`, size)),
  'nested parts': (size) => HEAD + nested(size),
  'almost boundaries': (size) => mixed(filled('--b \t-\n--\n', size)),
  'many headers': (size) => filled('a: b\n', size),
  'a header of many lines': (size) => header('Subject', filled('x\n ', size)),
  'words of a subject': (size) => header('Subject', filled('=?utf-8?q?a?= ', size)),
  'broken words of a subject': (size) => header('Subject', filled('=?utf-8?b?', size)),
  'comments of a sender': (size) => header('From', filled('(', size)),
  'quotes of a sender': (size) => header('From', filled('"\\', size)),
  'many senders': (size) => header('From', filled('a@b.example, ', size)),
  'results of DMARC': (size) =>
    header('Authentication-Results', `mx.example; ${filled('dmarc=pass (', size)}`),
  'parameters of a part': (size) =>
    header('Content-Type', `text/csv; ${filled('name*1=a; ', size)}`),
  'a boundary': (size) =>
    header('Content-Type', `multipart/mixed; boundary="${filled('b', size)}"`),
  'a long line': (size) => mixed(`--b\n${ATTACHED}\n${filled('a', size)}`),
  'base64 of short lines': (size) =>
    mixed(`--b\n${ATTACHED}Content-Transfer-Encoding: base64\n\n${filled('YQ\n', size)}`),
  'quoted-printable': (size) =>
    mixed(`--b\n${ATTACHED}Content-Transfer-Encoding: quoted-printable\n\n${filled('==3', size)}`),
  'spaces of quoted-printable': (size) =>
    mixed(`--b\n${ATTACHED}Content-Transfer-Encoding: quoted-printable\n\n${filled(' ', size)}x`),
}

const REPORT =
  'Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n'
const REPORTS: Record<string, (size: number) => string> = {
  'recipients of a report': (size) => REPORT + filled('\nAction: failed\nStatus: 5.1.1\n', size),
  'a folded line of a report': (size) => `${REPORT}\nDiagnostic-Code: ${filled('\n \t', size)}x`,
  'a report in base64': (size) =>
    `${REPORT}Content-Transfer-Encoding: base64\n\n${filled('YQ\n', size)}`,
  'a plain report': (size) =>
    `From: a@b.example\n\nHi. This is the\n\n<a>:\n${filled('(#5. \n', size)}`,
}

/** Messages, and texts in the place of one, of its sender and of a table in it. */
export const mailInputs: Record<string, (size: number) => Buffer> = {
  ...mapValues({ ...HOSTILE, ...REPORTS }, (write) => (size: number) => Buffer.from(write(size))),
  ...mapValues(
    TEXTS,
    (text) => (size: number) =>
      Buffer.from(`From: ${text(size / 2).slice(0, 200_000)}\n\n${text(size / 2)}`),
  ),
}
