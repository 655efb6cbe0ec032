import { Button, Stack } from '@mantine/core'
import { useState } from 'react'

import type { Role } from '../../../shared/constants'
import { MAX_PASSKEYS_PER_PERSON } from '../../../shared/passkeys'
import type { OwnPasskeys, Passkey } from '../../../shared/schemas/passkey'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { LoadError } from '../../components/feedback/message-state'
import { SettingLine } from '../../components/layout/setting-line'
import { hasPasskeys } from '../../lib/has-passkeys'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'
import { AddPasskeyDialog, RenamePasskeyDialog } from './lazy-dialogs'
import { PasskeyList } from './passkey-list'
import { useRemovePasskey } from './use-remove-passkey'

/** The own passkeys, in the settings. Whoever only views the product as this user changes none. */
export function PasskeysLine() {
  // When one was used last is told by no event.
  const query = trpc.passkeys.list.useQuery(undefined, { refetchOnMount: 'always' })
  const { role, viewedUntil } = useSignedInUser()
  const [isAdding, setAdding] = useState(false)
  const renaming = useDialogSubject<Passkey>()
  const removing = useRemovePasskey()
  const own = query.data
  if (query.isError && !own) {
    return <LoadError isCompact title="Your passkeys could not be loaded" query={query} />
  }
  const mayChange = viewedUntil === undefined
  const obstacle = own && findObstacle(own, role)
  return (
    <Stack gap="sm">
      <SettingLine title="Passkeys" note={obstacle ?? NOTE}>
        {own && mayChange && obstacle === undefined && (
          <Button variant="default" onClick={() => setAdding(true)}>
            Add a passkey…
          </Button>
        )}
      </SettingLine>
      {own && own.passkeys.length > 0 && (
        <PasskeyList
          passkeys={own.passkeys}
          changes={
            mayChange ? { onRename: renaming.open, onRemove: removing.question.open } : undefined
          }
        />
      )}
      <AddPasskeyDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        program={own?.program ?? null}
      />
      <RenamePasskeyDialog
        isOpen={renaming.isOpen}
        onClose={renaming.close}
        passkey={renaming.subject}
      />
      <ConfirmDialog
        isOpen={removing.question.isOpen}
        onClose={removing.question.close}
        title="Remove the passkey"
        confirmLabel="Remove"
        isPending={removing.isPending}
        onConfirm={removing.remove}
      >
        <bdi>{removing.question.subject?.name}</bdi> does not sign you in any more. Your device may
        go on offering it until you delete it there too.
      </ConfirmDialog>
    </Stack>
  )
}

const NOTE =
  'Sign in with your fingerprint, your face or a PIN in place of the password and the code.'

/** Why no passkey can be added; undefined when one can. */
function findObstacle({ passkeys, origin }: OwnPasskeys, role: Role): string | undefined {
  if (origin === null) {
    const advice =
      role === 'SUPER_ADMIN' ? 'Set PUBLIC_URL to such an address.' : 'The administrator sets it.'
    return `Passkeys need an address with a name, over HTTPS. ${advice}`
  }
  if (origin !== location.origin) return `Passkeys work at ${origin} only. Open that to add one.`
  if (!hasPasskeys()) return 'This browser has no passkeys. Add one in another browser.'
  if (passkeys.length < MAX_PASSKEYS_PER_PERSON) return undefined
  return `You have ${MAX_PASSKEYS_PER_PERSON}, the most there can be. Remove one to add another.`
}
