import { MAX_LOGO_BYTES, MAX_LOGO_SIZE } from '../../../../shared/constants'
import type { Card, SaveCardInput } from '../../../../shared/schemas/directory'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { createSecretToken } from '../../../domain/secret-token'
import { readPicture } from '../../../files/pictures/picture'
import { findUnknownCategories } from '../../catalogue/versions/categories'
import type { AuditedState } from '../../people/audit/audited-changes'
import { recordAudit } from '../../people/audit/record-audit'
import { findCard, saveCardRow, type WrittenCard } from './cards.queries'
import { countDaysOf, readFreshness } from './freshness'

/** Returns a supplier's own card, also before it has published it. */
export async function getCard(deps: Deps, supplier: Actor): Promise<Card> {
  const card = await findCard(deps.db, supplier.id)
  if (!card) {
    return {
      isPublished: false,
      name: supplier.companyName ?? '',
      description: '',
      categories: [],
      logo: null,
      freshness: null,
      updatedAt: null,
    }
  }
  const { isPublished, name, description, categories, logo, updatedAt } = card
  const freshness = (await readFreshness(deps, [supplier.id])).get(supplier.id) ?? null
  const shown = { name, description, categories, logo, freshness }
  return { isPublished, ...shown, updatedAt: toInstant(updatedAt) }
}

/**
 * Saves a supplier's card, which retailers see from then on if it is published.
 * @throws DomainError INVALID for a logo that is no picture, and a category that the published file does not have
 */
export async function saveCard(deps: Deps, supplier: Actor, input: SaveCardInput): Promise<Card> {
  const { logo, categories } = input
  const picture = typeof logo === 'string' ? toLogo(logo) : logo
  await assertPublishedCategories(deps, supplier.id, categories)
  const isFirst = await inTransaction(deps.db, async (trx) => {
    const before = await findCard(trx, supplier.id)
    const card: WrittenCard = {
      supplierId: supplier.id,
      token: before?.token ?? createSecretToken(),
      isPublished: input.isPublished,
      name: input.name,
      description: input.description,
      categories: [...new Set(categories)],
      logo: picture === undefined ? (before?.logo ?? null) : picture,
      updatedAt: deps.clock.now(),
    }
    await saveCardRow(trx, card)
    await recordAudit(trx, deps, {
      action: 'supplier.change-card',
      subject: { id: supplier.id, name: supplier.companyName ?? supplier.username },
      supplierId: supplier.id,
      ...(before && { before: toAudited(before) }),
      after: toAudited(card),
    })
    return !before
  })
  // So that it is in the preview at once.
  if (isFirst) await countDaysOf(deps, supplier.id, null)
  return getCard(deps, supplier)
}

/** @throws DomainError INVALID */
function toLogo(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  const picture = bytes.length > MAX_LOGO_BYTES ? undefined : readPicture(bytes)
  if (!picture) {
    throw new DomainError(
      'INVALID',
      `The logo must be a PNG, JPEG or WebP picture of at most ${MAX_LOGO_BYTES / 1024} KB, without an animation`,
      { field: 'logo' },
    )
  }
  const sides = [picture.width, picture.height]
  if (sides.some((side) => side < 1 || side > MAX_LOGO_SIZE)) {
    throw new DomainError(
      'INVALID',
      `The logo must be at most ${MAX_LOGO_SIZE} pixels wide and high`,
      { field: 'logo' },
    )
  }
  return `data:${picture.type};base64,${picture.bytes.toString('base64')}`
}

async function assertPublishedCategories(
  deps: Deps,
  supplierId: number,
  categories: readonly string[],
): Promise<void> {
  if (categories.length === 0) return
  const unknown = await findUnknownCategories(deps, supplierId, categories)
  const [one] = unknown ?? categories
  if (one === undefined) return
  throw new DomainError('INVALID', `Your published file has no category “${one}”`, {
    field: 'categories',
  })
}

const toAudited = (card: WrittenCard): AuditedState => ({
  isPublished: card.isPublished,
  name: card.name,
  description: card.description,
  categories: card.categories,
  hasLogo: card.logo !== null,
})
