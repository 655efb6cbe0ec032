import { lazyPart } from '../../components/feedback/lazy-part'
import { trpc } from '../../trpc'

const Panel = lazyPart(async () => (await import('./sftp-login-panel')).FetchBySftp, {
  name: 'SFTP login',
  height: 220,
})

/** The login by which a program fetches the file of its shop, where there is a server for it. */
export function FetchBySftp(props: { retailerId: number }) {
  const info = trpc.app.info.useQuery()
  return info.data?.servesSftp ? <Panel {...props} /> : null
}
