import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openScratchFile } from '../../storage/scratch-file'
import { CSV, toBody, writeMail } from '../../testing/fixtures/mails'
import { readMail } from './read-mail'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-mail-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = (message: Buffer | string, authHost: string | null = null) =>
  readMail(toBody(Buffer.from(message)), {
    authHost,
    openDraft: () => openScratchFile(join(folder, 'table')),
  })
const tableText = () => readFile(join(folder, 'table'), 'utf8')

describe('the sender of a mail', () => {
  it.each([
    ['stock@acme.example', 'stock@acme.example'],
    ['"Stock, daily" <Stock@Acme.example>', 'stock@acme.example'],
    ['=?utf-8?q?L=C3=A4ger?= <a+b@acme.example> (daily)', 'a+b@acme.example'],
    ['a@acme.example, b@acme.example', null],
    ['"a@other.example" <b@acme.example>', 'b@acme.example'],
    ['a@other.example <b@acme.example>', null],
    ['<a@acme.example> <b@acme.example>', null],
    ['<a@acme.example', null],
    ['(a@acme.example', null],
    ['undisclosed:;', null],
    ['a@localhost', null],
    ['', null],
  ])('%s is read as %s', async (from, sender) => {
    expect((await read(writeMail({ from }))).sender).toBe(sender)
  })

  it('is nobody where a message has two', async () => {
    const twice = writeMail({ above: ['From: other@acme.example'] })
    expect((await read(twice)).sender).toBeNull()
  })
})

describe('the result of DMARC', () => {
  const judged = async (...above: string[]) =>
    (await read(writeMail({ above }), 'mx.example')).dmarc
  const by = (results: string, host = 'mx.example') => `Authentication-Results: ${host}; ${results}`

  it.each([
    ['dmarc=pass header.from=acme.example', 'pass'],
    ['spf=pass; dmarc=pass (p=none) header.from=ACME.example', 'pass'],
    ['dmarc=fail (p=none) header.from=acme.example', 'fail'],
    ['dmarc=none', 'none'],
    ['dmarc=temperror', 'fail'],
    ['spf=pass; dkim=pass', 'missing'],
    // What is in a comment or in quotes is no result.
    ['spf=fail (; dmarc=pass)', 'missing'],
    ['spf=fail reason="; dmarc=pass"', 'missing'],
    ['dmarc=pass; dmarc=fail', 'fail'],
    // It passed for another domain than that of the sender.
    ['dmarc=pass header.from=other.example', 'fail'],
  ])('of %s is %s', async (results, dmarc) => {
    expect(await judged(by(results))).toBe(dmarc)
  })

  it('is that of the configured host alone', async () => {
    expect(await judged(by('dmarc=pass', 'other.example'))).toBe('missing')
    expect(await judged(by('dmarc=pass', 'mx.example.evil.example'))).toBe('missing')
    expect(await judged(by('dmarc=pass', 'MX.example 1'))).toBe('pass')
  })

  it('is no header that whoever removes forged ones may not recognize', async () => {
    const result = 'dmarc=pass header.from=acme.example'
    expect(await judged(`Authentication-Results : mx.example; ${result}`)).toBe('missing')
    expect(await judged(by(result, '"mx.example"'))).toBe('missing')
    expect(await judged(by(result, '(of) mx.example'))).toBe('missing')
    expect(await judged(`Authentication-Results:\r\n\tmx.example;\r\n ${result}`)).toBe('pass')
  })

  it('is that of the topmost block, which may be of several headers', async () => {
    const received = 'Received: from a by mx.example'
    expect(await judged(by('spf=pass'), by('dmarc=fail'), received, by('dmarc=pass'))).toBe('fail')
    expect(await judged(received, by('spf=pass'), received, by('dmarc=pass'))).toBe('missing')
    expect(await judged(received, by('spf=pass'), by('dmarc=pass'))).toBe('pass')
  })

  it('is not judged without a configured host', async () => {
    expect((await read(writeMail({ above: [by('dmarc=fail')] }))).dmarc).toBeNull()
  })
})

describe('the table of a mail', () => {
  it.each([
    ['stock.csv', 'application/octet-stream', 'stock.csv'],
    ['../../etc/stock.xlsx', 'application/octet-stream', 'stock.xlsx'],
    ['=?utf-8?q?Best=C3=A4nde=2Ecsv?=', 'text/csv', 'Bestände.csv'],
    ['', 'text/csv', 'table.csv'],
    ['stock', 'application/zip', 'stock'],
    ['invite.ics', 'text/calendar', null],
    ['smime.p7s', 'application/pkcs7-signature', null],
    ['logo.png', 'image/png', null],
    ['stock.csv', 'image/png', null],
    ['ATT00001.txt', 'text/plain', null],
    ['report.pdf', 'application/pdf', null],
  ])('is %s of %s: %s', async (name, type, known) => {
    const { file } = await read(writeMail({ attachments: [{ name, type }] }))
    expect(file?.name ?? null).toBe(known)
  })

  it('is the first, as it was attached; the others are counted', async () => {
    const attachments = [{ name: 'logo.png', type: 'image/png' }, {}, { name: 'b.xlsx' }]
    const { file, otherFiles } = await read(writeMail({ attachments }))
    expect([file?.content.sizeBytes, otherFiles]).toEqual([CSV.length, 1])
    expect(await tableText()).toBe(CSV)
  })

  it.each([
    ['7bit', 'sku,qty\r\nA1,5', 'sku,qty\r\nA1,5'],
    ['quoted-printable', 'sku;name=\r\n\r\nA1;=C3=A4', 'sku;name\r\nA1;ä'],
    ['base64', Buffer.from('sku\r\nA1').toString('base64'), 'sku\r\nA1'],
  ])('is decoded from %s', async (encoding, body, text) => {
    const head = 'From: a@b.example\r\nContent-Type: text/csv; name=a.csv\r\n'
    await read(`${head}Content-Transfer-Encoding: ${encoding}\r\n\r\n${body}`)
    expect(await tableText()).toBe(text)
  })

  it('is none of a message that is attached, as bounces have it', async () => {
    const inner = writeMail().toString()
    const { file } = await read(
      `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--o--\r\n`,
    )
    expect(file).toBeNull()
  })
})

describe('a message that is too much', () => {
  const part = (boundary: string, body: string) =>
    `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n--${boundary}\r\n${body}`

  it.each([
    ['parts', writeMail({ attachments: Array.from({ length: 1_001 }, () => ({})) }).toString()],
    [
      'levels',
      Array.from({ length: 30 }).reduce<string>((body, _, at) => part(`b${at}`, body), ''),
    ],
    ['headers', `From: a@b.example\r\n${'X: y\r\n'.repeat(100_000)}\r\n`],
  ])('for its %s is refused', async (_, message) => {
    await expect(read(message)).rejects.toMatchObject({ code: 'mail' })
  })
})
