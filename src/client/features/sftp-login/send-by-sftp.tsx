import { lazyPart } from '../../components/feedback/lazy-part'

/** The login by which a program puts its files. */
export const SendBySftp = lazyPart(async () => (await import('./sftp-login-panel')).SendBySftp, {
  name: 'SFTP login',
  height: 220,
})
