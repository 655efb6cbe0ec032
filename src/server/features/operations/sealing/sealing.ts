import type { Deps } from '../../../domain/deps'
import { resealWebhooks, sealPlainWebhooks } from '../../alerting/webhooks/seal-webhooks'
import { resealSources, sealPlainSources } from '../../catalogue/connections/seal-sources'
import { resealDestinations } from '../../distribution/destinations/seal-destinations'
import { resealSecondFactors } from '../../people/second-factor/seal-keys'
import { resealMailInboxes } from '../../publication/mailed-files/seal-tokens'

/** Encrypts the addresses of sources and webhooks that an older version has stored plainly. */
export async function sealPlainAddresses(deps: Deps): Promise<void> {
  await sealPlainSources(deps)
  await sealPlainWebhooks(deps)
}

/** Encrypts all stored secrets with the current key, so that no other key is needed any more. */
export async function resealAll(deps: Deps) {
  return {
    connections: await resealSources(deps),
    webhooks: await resealWebhooks(deps),
    destinations: await resealDestinations(deps),
    mailInboxes: await resealMailInboxes(deps),
    secondFactors: await resealSecondFactors(deps),
  }
}
