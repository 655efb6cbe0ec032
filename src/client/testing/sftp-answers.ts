import type { SftpAccess, SftpLogin } from '../../shared/schemas/sftp-login'

export const sampleServer: NonNullable<SftpAccess['server']> = {
  host: 'sftp.stock.example',
  port: 2_222,
  hostKeys: [{ type: 'ssh-ed25519', fingerprint: 'SHA256:server' }],
}

/** It has a password, and no key. */
export const sampleLogin: SftpLogin = {
  username: 'acme-4f7k2m',
  passwordEnd: 'x7Qa',
  publicKeys: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  lastClient: null,
}
