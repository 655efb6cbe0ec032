import { withCaller } from '../domain/caller'
import { readSshFamily } from '../domain/client-family'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { toCountedAddress } from '../domain/networks'
import { recordFailedSftpSignIn } from '../features/publication/inbox/failed-sftp-sign-ins'
import { judgeSftpProof, type SftpProof } from '../features/publication/inbox/sftp-guests'
import type { Sessions } from './desk-sessions'
import type { FromInbox, Home, Proof } from './messages'

type SignIn = Extract<FromInbox, { type: 'sign-in' }>

/**
 * Lets somebody in who has the password or the key of a login; a key that was only named may be proved next.
 * @throws DomainError UNAUTHENTICATED, which is counted; UNAVAILABLE when there is no room
 */
export async function signIn(deps: Deps, sessions: Sessions, asked: SignIn): Promise<Home> {
  const { session: number, username, client, proof } = asked
  sessions.requireFree(number)
  const judged = await judgeSftpProof(deps, username, await toProof(proof))
  const address = toCountedAddress(asked.address) ?? 'unknown'
  const isProved = proof.kind !== 'key'
  if ('tried' in judged) {
    if (isProved) {
      const caller = { origin: 'web', actor: null, address } as const
      await withCaller(caller, () => recordFailedSftpSignIn(deps, judged.tried, address))
      deps.metrics.sftpSignIn('failed')
    }
    throw new DomainError('UNAUTHENTICATED', 'The user name, the password or the key is wrong.')
  }
  const { guest, place } = judged
  sessions.requireRoomOf(guest.loginId)
  const isDropBox = place.kind === 'connection'
  const home = isDropBox ? 'drop-box' : 'pick-up'
  if (!isProved) return home
  // Another one may have taken it while the database answered.
  sessions.requireFree(number)
  deps.metrics.sftpSignIn('ok')
  const userId = isDropBox ? place.connection.supplierId : place.retailer.userId
  sessions.add(number, { guest, home, client: readSshFamily(client), address, userId })
  return home
}

async function toProof(proof: Proof): Promise<SftpProof> {
  if (proof.kind === 'password') return proof
  const key = Buffer.from(proof.key, 'base64')
  if (proof.kind === 'key') return { kind: 'key', key }
  const { default: ssh } = await import('ssh2')
  return {
    kind: 'signature',
    key,
    verify(line) {
      const known = ssh.utils.parseKey(line)
      if (known instanceof Error) return false
      // It would be one with SHA-1.
      if (known.type === 'ssh-rsa' && proof.hash === null) return false
      const [signature, blob] = [proof.signature, proof.blob].map((text) =>
        Buffer.from(text, 'base64'),
      )
      return known.verify(blob!, signature!, proof.hash ?? undefined)
    },
  }
}
