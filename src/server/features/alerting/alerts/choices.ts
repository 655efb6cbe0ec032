import type { z } from 'zod'

import { isWantedByDefault, listAlertKinds } from '../../../../shared/alerts'
import type { alertChoiceInput, AlertChoices } from '../../../../shared/schemas/alert'
import { inTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { recordUserAudit } from '../../people/audit/record-audit'
import { readDigestChoice } from '../digests/digest-choice'
import { findMailAddress, listAlertChoices, putAlertChoice } from './choices.queries'

/** How the caller is told of what concerns it. */
export async function readAlertChoices(
  deps: Pick<Deps, 'db' | 'mail'>,
  actor: Actor,
): Promise<AlertChoices> {
  const { id, role } = selfOf(actor)
  const chosen = await listAlertChoices(deps.db, id)
  const mail = await findMailAddress(deps.db, id)
  const isWanted = (kind: (typeof chosen)[number]['kind'], way: 'bell' | 'mail') =>
    chosen.find((choice) => choice.kind === kind && choice.way === way)?.isWanted ??
    isWantedByDefault(role, kind, way)
  return {
    choices: listAlertKinds(role).map((kind) => ({
      kind,
      isWanted: { bell: isWanted(kind, 'bell'), mail: isWanted(kind, 'mail') },
    })),
    digest: await readDigestChoice(deps.db, actor),
    mail: {
      isAvailable: deps.mail !== null,
      address: mail?.address ?? null,
      pendingAddress: mail?.pendingAddress ?? null,
    },
  }
}

/** @throws DomainError INVALID for a kind that does not concern the caller */
export async function saveAlertChoice(
  deps: Deps,
  actor: Actor,
  choice: z.infer<typeof alertChoiceInput>,
): Promise<void> {
  if (!listAlertKinds(actor.role).includes(choice.kind)) {
    throw new DomainError('INVALID', 'This does not concern your account', { field: 'kind' })
  }
  await inTransaction(deps.db, async (trx) => {
    await putAlertChoice(trx, { userId: selfOf(actor).id, ...choice })
    const after = { [`${choice.kind} by ${choice.way}`]: choice.isWanted }
    await recordUserAudit(trx, deps, selfOf(actor), { action: 'user.choose-alerts', after })
  })
}
