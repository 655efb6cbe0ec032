import { resealAll } from '../src/server/features/operations/sealing/sealing'
import { formatCountOf } from '../src/shared/format'
import { runCommand, withDeps } from './command-line'

const HELP = `Encrypts all stored secrets with the present encryption key.

Usage: npm run reseal

After the encryption key was changed, with the one before in ENCRYPTION_KEY_PREVIOUS: then all addresses
and credentials of sources, all webhooks, mail inboxes and second factors are encrypted with the new key, and the one before can be removed.
Can run beside the product, as soon as all its processes know both keys, and again at any time.

Backups are not changed: keep the key before for as long as you keep backups that were made with it.

Exit codes: 0 everything is encrypted with the present key; 1 failure, or something could not be decrypted.`

await runCommand(HELP, {}, () =>
  withDeps(async (deps) => {
    const { connections, webhooks, mailInboxes, secondFactors } = await resealAll(deps)
    const counts = [
      formatCountOf(connections.sealed, 'connection'),
      formatCountOf(webhooks.sealed, 'webhook'),
      formatCountOf(mailInboxes.sealed, 'mail inbox', 'mail inboxes'),
      formatCountOf(secondFactors.sealed, 'second factor'),
    ]
    console.log(`${join(counts)} newly encrypted with key ${deps.secrets.keyId}`)
    const all = [connections, webhooks, mailInboxes, secondFactors]
    const unreadable = all.flatMap((sealing) => sealing.unreadable)
    if (unreadable.length === 0) {
      console.log('Everything is encrypted with this key: ENCRYPTION_KEY_PREVIOUS can be removed')
      return 0
    }
    const keys = [...new Set(unreadable)].join(', ')
    const what = join([
      formatCountOf(connections.unreadable.length, 'connection'),
      formatCountOf(webhooks.unreadable.length, 'webhook'),
      formatCountOf(mailInboxes.unreadable.length, 'mail inbox', 'mail inboxes'),
      formatCountOf(secondFactors.unreadable.length, 'second factor'),
    ])
    console.error(
      `${what} could not be decrypted and stay as they are (key ${keys}): provide that key as ENCRYPTION_KEY_PREVIOUS and run this again, or have them entered again`,
    )
    return 1
  }),
)

function join(counts: readonly string[]): string {
  return `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`
}
