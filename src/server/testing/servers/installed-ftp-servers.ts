import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFreePort } from './free-port'
import { controlServer, untilListening } from './installed-program'
import { createAuthority } from './source-certificate'

/** How a server speaks TLS. */
export type FtpTls = 'none' | 'explicit' | 'implicit'

export type FtpProgram = 'vsftpd' | 'proftpd'
export type InstalledFtpServer = Awaited<ReturnType<typeof startInstalledFtpServer>>

interface Place {
  directory: string
  files: string
  port: number
  passive: [from: number, to: number]
  tls: FtpTls
  isSlow: boolean
}

const PROGRAMS: Record<
  FtpProgram,
  { config: (place: Place) => string; args: (file: string) => string[] }
> = {
  vsftpd: {
    args: (file) => [file],
    config: ({ directory, files, port, passive, tls, isSlow }) =>
      toLines({
        listen: 'YES',
        listen_address: '127.0.0.1',
        listen_port: port,
        background: 'NO',
        secure_chroot_dir: join(directory, 'empty'),
        anonymous_enable: 'YES',
        no_anon_password: 'NO',
        anon_root: files,
        anon_world_readable_only: 'NO',
        write_enable: 'YES',
        anon_upload_enable: 'YES',
        anon_other_write_enable: 'YES',
        anon_umask: '022',
        // Slow enough that a file is still on its way when the server is ended.
        ...(isSlow && { anon_max_rate: RATE }),
        seccomp_sandbox: 'NO',
        pasv_min_port: passive[0],
        pasv_max_port: passive[1],
        ...(tls !== 'none' && {
          ssl_enable: 'YES',
          allow_anon_ssl: 'YES',
          force_anon_logins_ssl: 'YES',
          force_anon_data_ssl: 'YES',
          implicit_ssl: tls === 'implicit' ? 'YES' : 'NO',
          require_ssl_reuse: 'YES',
          ssl_ciphers: 'HIGH',
          rsa_cert_file: join(directory, 'cert.pem'),
          rsa_private_key_file: join(directory, 'key.pem'),
        }),
      }),
  },
  proftpd: {
    args: (file) => ['--nodaemon', '--quiet', '--config', file],
    config: ({ directory, files, port, passive, tls }) => `
${tls === 'none' ? '' : 'LoadModule mod_tls.c'}
ServerType standalone
DefaultAddress 127.0.0.1
Port ${port}
PassivePorts ${passive.join(' ')}
PidFile ${directory}/pid
ScoreboardFile ${directory}/scoreboard
DelayEngine off
UseReverseDNS off
WtmpLog off
SystemLog ${directory}/log
TransferLog none
User nobody
Group nogroup
RequireValidShell off
UseFtpUsers off
AuthOrder mod_auth_unix.c
TransferRate RETR ${RATE / 1_024}
${
  tls === 'none'
    ? ''
    : `TLSEngine on
TLSLog ${directory}/tls-log
TLSRequired on
TLSProtocol TLSv1.2 TLSv1.3
TLSECCertificateFile ${directory}/cert.pem
TLSECCertificateKeyFile ${directory}/key.pem
${tls === 'implicit' ? 'TLSOptions UseImplicitSSL' : ''}`
}
<Anonymous ${files}>
  User nobody
  Group nogroup
  UserAlias anonymous nobody
  RequireValidShell off
</Anonymous>
`,
  },
}

/** In bytes a second. */
const RATE = 2 * 1024 * 1024

/**
 * Starts an installed server of FTP on loopback, on free ports and with folders of its own. Everybody may sign in
 * without a name, and write into the folder `in`. Where it has TLS it requires it, and that data connections resume the session.
 */
export async function startInstalledFtpServer(program: FtpProgram, tls: FtpTls, isSlow = true) {
  const directory = await mkdtemp(join(tmpdir(), `stockbridge-${program}-`))
  // The server reads below it as another user.
  await chmod(directory, 0o755)
  const files = join(directory, 'files')
  const empty = join(directory, 'empty')
  // Not readable by others, if the umask of this process says so.
  for (const folder of [files, empty]) {
    await mkdir(folder)
    await chmod(folder, 0o555)
  }
  const writable = join(files, 'in')
  await mkdir(writable)
  await chmod(writable, 0o777)
  const port = await findFreePort()
  const first = await findFreePort()
  const authority = createAuthority()
  const { key, cert } = authority.issue('localhost')
  await writeFile(join(directory, 'key.pem'), key, { mode: 0o600 })
  await writeFile(join(directory, 'cert.pem'), cert)
  const { config, args } = PROGRAMS[program]
  const file = join(directory, 'config')
  const passive: [number, number] = [first, first + 20]
  await writeFile(file, config({ directory, files, port, passive, tls, isSlow }))
  const child = spawn(program, args(file), { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await untilListening(port, () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
  })
  return {
    port,
    files,
    host: `localhost:${port}`,
    url: (path: string) => `${tls === 'implicit' ? 'ftps' : 'ftp'}://localhost:${port}${path}`,
    /** The certificate to trust. */
    certificate: authority.cert,
    ...controlServer(child, { directory, files }),
  }
}

const toLines = (settings: Record<string, string | number>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
