import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { connect } from 'node:net'

import type { Config } from '../config'
import { engineOf } from '../db/engine'
import type { Deps } from '../domain/deps'
import { readSftpHostKeys } from '../secrets/sftp-host-keys'
import { ANSWER_WITHIN_MS, explain, type Finding } from './finding'

const PART = 'SFTP'
type Sftp = NonNullable<Config['sftp']>

/** Whether files can come over SFTP, as far as this machine can know. Only told of where there is an SFTP server. */
export async function checkSftp({ config, db }: Deps): Promise<Finding[]> {
  const { sftp } = config
  if (sftp === null) return []
  const isShared = engineOf(db).name === 'PostgreSQL'
  const findings = await Promise.all([checkPort(sftp), checkKey(sftp, isShared), checkName(sftp)])
  return findings.flat()
}

async function checkPort({ listenHost, port }: Sftp): Promise<Finding[]> {
  const here = listenHost === '0.0.0.0' ? '127.0.0.1' : listenHost === '::' ? '::1' : listenHost
  const socket = connect(port, here)
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const [greeting] = (await once(socket, 'data', { signal })) as [Buffer]
    if (greeting.toString('latin1').startsWith('SSH-2.0-SFTP\r\n')) {
      return [{ part: PART, state: 'ok', text: `port ${port} answers here` }]
    }
    const advice = 'Set SFTP_PORT to a port of its own.'
    return [{ part: PART, state: 'problem', text: `Port ${port} is of another program`, advice }]
  } catch (error) {
    const text = `Port ${port} does not answer here: ${explain(error)}`
    const advice =
      'Start the product, or npm run inbox. If that runs on another machine, all may be well.'
    return [{ part: PART, state: 'warning', text, advice }]
  } finally {
    socket.destroy()
  }
}

/** Reads the key, and makes none. */
async function checkKey(sftp: Sftp, isShared: boolean): Promise<Finding[]> {
  const isGenerated = sftp.hostKeys === undefined
  if (isGenerated && isShared) {
    const text =
      'SFTP_HOST_KEY is not set: each machine makes a key of its own, and programs refuse a server whose key changes'
    const advice = 'If several machines share the database, give all of them the same key.'
    return [{ part: PART, state: 'warning', text, advice }]
  }
  try {
    if (isGenerated) await access(sftp.hostKeyFile)
    const keys = await readSftpHostKeys(sftp)
    const shown = keys.map(({ type, fingerprint }) => `${type} ${fingerprint}`)
    return [{ part: PART, state: 'ok', text: `its key is ${shown.join(', ')}` }]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isGenerated && code === 'ENOENT') {
      return [{ part: PART, state: 'ok', text: 'its key is made at the first start' }]
    }
    const advice = isGenerated
      ? 'Give the file to the user that runs the product, or take its copy.'
      : 'Correct SFTP_HOST_KEY.'
    return [{ part: PART, state: 'problem', text: explain(error), advice }]
  }
}

async function checkName({ host, port }: Sftp): Promise<Finding[]> {
  try {
    const found = await lookup(host, { all: true })
    const addresses = found.map(({ address }) => address).join(', ')
    const text = `${host} is ${addresses}; whether it can be reached from outside cannot be known from here: try sftp -P ${port} user@${host} from another network`
    return [{ part: PART, state: 'ok', text }]
  } catch (error) {
    const text = `${host}, which people are told, leads nowhere: ${explain(error)}`
    const advice = 'Set SFTP_HOST to a name of this machine, or add the name to DNS.'
    return [{ part: PART, state: 'warning', text, advice }]
  }
}
