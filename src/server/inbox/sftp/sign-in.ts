import type { AuthContext } from 'ssh2'

import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore'
import type { SftpLimits } from '../limits'
import type { Proof } from '../messages'
import { type Parent, Refused } from '../parent'
import type { Door } from './door'
import type { Guest } from './guest'

/** Proofs of one network that are looked at at once; others wait for their turn. */
const PROOFS_OF_NETWORK = 2
const METHODS: ('password' | 'publickey')[] = ['publickey', 'password']

type SignInQuestion = {
  session: number
  username: string
  address: string
  client: string
  proof: Proof
}

/** Returns a function that has the parent judge what a client shows, and answers it. */
export function createSignIn(parent: Parent, door: Door, limits: SftpLimits) {
  const proofs = createKeyedSemaphore<string>(() => PROOFS_OF_NETWORK)
  const never = new AbortController().signal
  const ask = (question: SignInQuestion) =>
    parent.ask({ type: 'sign-in', ...question }).then(
      ({ answer }) => (answer.type === 'signed-in' ? answer.home : undefined),
      (error: unknown) =>
        error instanceof Refused && error.refusal === 'later' ? error.refusal : undefined,
    )
  return async (context: AuthContext, guest: Guest, client: string): Promise<void> => {
    const proof = toProof(context)
    if (!proof) return context.reject(METHODS)
    guest.tries += 1
    if (guest.tries > limits.tries) return void guest.socket.destroy()
    const { session, network, socket } = guest
    const leave = await proofs.acquire(network, never)
    try {
      if (socket.destroyed) return
      const home = await ask({
        session,
        username: context.username.slice(0, 200),
        address: socket.remoteAddress ?? '',
        client: client.slice(0, 255),
        proof,
      })
      if (home === 'later') return context.reject(METHODS)
      if (home && proof.kind !== 'key') {
        // It may have gone meanwhile.
        if (socket.destroyed) return parent.tell({ type: 'leave', session })
        guest.home = home
      }
      if (home) return context.accept()
      if (proof.kind !== 'key') door.noteFailure(network)
      context.reject(METHODS)
    } finally {
      leave()
    }
  }
}

const HASHES = { sha256: 'sha256', sha512: 'sha512' } as const

/** What somebody shows to be the owner of a login; undefined for ways that do not count. */
function toProof(context: AuthContext): Proof | undefined {
  if (context.method === 'password') {
    return typeof context.password === 'string'
      ? { kind: 'password', password: context.password.slice(0, 1_000) }
      : undefined
  }
  if (context.method !== 'publickey') return undefined
  const key = context.key.data.toString('base64')
  if (!context.signature || !context.blob) return { kind: 'key', key }
  return {
    kind: 'signature',
    key,
    signature: context.signature.toString('base64'),
    blob: context.blob.toString('base64'),
    hash: HASHES[context.hashAlgo as keyof typeof HASHES] ?? null,
  }
}
