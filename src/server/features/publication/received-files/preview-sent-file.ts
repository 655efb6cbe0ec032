import { randomUUID } from 'node:crypto'

import type { SourcePreview } from '../../../../shared/schemas/connection'
import { type Actor, selfOf } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { codeOf } from '../../../process/error-code'
import {
  loadReading,
  readPreview,
  type PreviewChoices,
} from '../../catalogue/connections/source-preview'
import { fillDraft, requireSpace, type TakeFile } from './arriving-file'

/**
 * Returns what a sync would read of a file that is sent, which is not kept. The user's next preview cancels
 * this one. No lease owns its scratch files: the clean-up removes them after a crash, and may do so before they are
 * read, which the caller is told.
 * @throws DomainError as `previewSource`; INVALID for no bytes, or others than said; TOO_LARGE; UNAVAILABLE
 */
export async function previewSentFile(
  deps: Deps,
  actor: Actor,
  input: PreviewChoices,
  take: TakeFile,
): Promise<SourcePreview> {
  await countAttempts(deps, [{ limit: 'previewSource', subject: actor.id }])
  const { reading } = await loadReading(deps, actor, input)
  await requireSpace(deps)
  return deps.previews.take(selfOf(actor).id, async (replaced) => {
    const { file, signal: gone } = take()
    const signal = AbortSignal.any([replaced, gone])
    const draft = deps.files.createDraft(randomUUID())
    try {
      const { sizeBytes } = await fillDraft(deps, draft, file, signal)
      const { fileName } = file
      const source = { type: 'STORED', path: draft.path, fileName, sizeBytes } as const
      return await readPreview(deps, actor, { source, reading }, signal)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw interrupted()
      throw error
    } finally {
      await draft.discard()
    }
  })
}

const interrupted = () =>
  new DomainError('UNAVAILABLE', 'The preview was interrupted. Try again.', {
    retryAfterSeconds: 1,
  })
