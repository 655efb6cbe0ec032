import type { FTPResponse } from 'basic-ftp'

import { FileError } from '../../file-error'
import type { FileState } from '../file-server'
import type { FtpSession } from './ftp-session'

const NOT_FOUND = 550

/**
 * What a server says of a file.
 * @throws FileError `no-file`
 */
export async function findFtpFile({ say }: FtpSession, path: string): Promise<FileState> {
  const size = await say(`SIZE ${path}`)
  const time = size.code === NOT_FOUND ? undefined : await say(`MDTM ${path}`)
  const bytes = readSize(size)
  const changedAt = time && readTime(time)
  if (bytes !== undefined && changedAt !== undefined) return { bytes, changedAt }
  // Few servers know only this, but it tells folders from what is not there.
  const facts = readFacts(await say(`MLST ${path}`))
  if (/^[cp]?dir$/i.test(facts.get('type') ?? '')) {
    throw new FileError('bad-address', 'At this address there is a folder: enter a file in it.')
  }
  const factBytes = bytes ?? toBytes(facts.get('size'))
  if (factBytes !== undefined) {
    return { bytes: factBytes, changedAt: changedAt ?? toTime(facts.get('modify')) ?? null }
  }
  throw size.code === NOT_FOUND ? noFile() : noSize()
}

const readSize = ({ code, message }: FTPResponse) =>
  code === 213 ? toBytes(message.slice(4)) : undefined

const readTime = ({ code, message }: FTPResponse) =>
  code === 213 ? toTime(message.slice(4)) : undefined

/** The facts in an answer to `MLST`, by their names in lower case. */
function readFacts({ code, message }: FTPResponse): Map<string, string> {
  const [, line = ''] = code === 250 ? message.split('\n') : []
  const [facts = ''] = line.trimStart().split(' ', 1)
  return new Map(
    facts.split(';').map((fact): [string, string] => {
      const at = fact.indexOf('=')
      return [fact.slice(0, at).toLowerCase(), fact.slice(at + 1)]
    }),
  )
}

function toBytes(text = ''): number | undefined {
  const digits = /^\s*(\d{1,15})(?!\d)/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Times are told in UTC, as 20260131235959, with fractions of a second or without. */
function toTime(text = ''): number | undefined {
  const [, date, time, fraction = ''] = /^\s*(\d{8})(\d{6})(?:\.(\d{1,3}))?/.exec(text) ?? []
  if (date === undefined || time === undefined || /^\s*\d{15}/.test(text)) return undefined
  const day = date.replace(/(....)(..)(..)/, '$1-$2-$3')
  const clock = time.replace(/(..)(..)(..)/, '$1:$2:$3')
  const told = Date.parse(`${day}T${clock}.${fraction.padEnd(3, '0')}Z`)
  return Number.isNaN(told) ? undefined : told
}

function noFile(): FileError {
  return new FileError(
    'no-file',
    'There is no file of this name at the server, or this user may not read it: upper and lower case count.',
  )
}

function noSize(): FileError {
  return new FileError(
    'bad-answer',
    'The server does not tell how large the file is (it knows neither SIZE nor MLST), so that nobody could tell whether it has arrived whole.',
  )
}
