import { join } from 'node:path'

import type { SendRequest } from '../../files/send/send-request'
import { hostKeyOf } from '../fixtures/ssh-keys'
import {
  type FtpProgram,
  type FtpTls,
  startInstalledFtpServer,
} from '../servers/installed-ftp-servers'
import { isInstalled } from '../servers/installed-program'
import { SSHD, startInstalledSshServer } from '../servers/installed-ssh-server'

/** A folder at an installed server, into which files can be sent. */
export interface InstalledDestination {
  address: string
  /** Where its files are on this machine. */
  folder: string
  access: SendRequest['server']
  ca: string | undefined
  kill(): Promise<void>
  freeze(): Promise<void>
  thaw(): Promise<void>
  close(): Promise<void>
}

async function startSsh(): Promise<InstalledDestination> {
  const server = await startInstalledSshServer()
  return {
    ...server,
    address: server.url('/'),
    folder: server.files,
    access: {
      login: server.login,
      hostKeys: server.publicKeys.map((key) => hostKeyOf(key).fingerprint),
      usesTls: false,
      allowsOld: false,
    },
    ca: undefined,
  }
}

async function startFtp(program: FtpProgram, tls: FtpTls): Promise<InstalledDestination> {
  const server = await startInstalledFtpServer(program, tls, false)
  return {
    ...server,
    address: server.url('/in'),
    folder: join(server.files, 'in'),
    access: { hostKeys: [], usesTls: tls !== 'none', allowsOld: false },
    ca: tls === 'none' ? undefined : server.certificate,
  }
}

const ftp = (program: FtpProgram, tls: FtpTls) => ({
  name: `${program}, TLS: ${tls}`,
  isThere: isInstalled(program),
  start: () => startFtp(program, tls),
})

export const INSTALLED_DESTINATIONS = [
  { name: 'OpenSSH', isThere: isInstalled(SSHD), start: startSsh },
  ...(['vsftpd', 'proftpd'] as const).flatMap((program) =>
    (['none', 'explicit', 'implicit'] as const).map((tls) => ftp(program, tls)),
  ),
]
