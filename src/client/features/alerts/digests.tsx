import type { AlertChoices } from '../../../shared/schemas/alert'
import { lazyPart } from '../../components/feedback/lazy-part'

const Card = lazyPart(async () => (await import('./digest-card')).DigestCard, {
  name: 'What has changed in the items',
  height: 220,
})

/** How often the user gets a mail of what has changed in the items; nothing where there are none. */
export function Digests({ digest, mail }: Pick<AlertChoices, 'digest' | 'mail'>) {
  return digest && mail.isAvailable && <Card digest={digest} mail={mail} />
}
