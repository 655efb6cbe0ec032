import type { SftpServer } from '../../../../shared/schemas/sftp-login'
import type { Config } from '../../../config'
import type { Deps } from '../../../domain/deps'
import { readSftpHostKeys } from '../../../secrets/sftp-host-keys'

const known = new WeakMap<Config, Promise<SftpServer>>()

/** Where our SFTP server is, as people are told; null where there is none. Its keys are read once. */
export async function readSftpAddress({
  config,
}: Pick<Deps, 'config'>): Promise<SftpServer | null> {
  const { sftp } = config
  if (sftp === null) return null
  const read = known.get(config) ?? readServer(sftp)
  known.set(config, read)
  // What cannot be read now may be there later.
  void read.catch(() => known.delete(config))
  return read
}

async function readServer(sftp: NonNullable<Config['sftp']>): Promise<SftpServer> {
  const keys = await readSftpHostKeys(sftp)
  return {
    host: sftp.host,
    port: sftp.port,
    hostKeys: keys.map(({ type, fingerprint }) => ({ type, fingerprint })),
  }
}
