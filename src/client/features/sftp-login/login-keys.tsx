import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'

import { MAX_LOGIN_KEYS } from '../../../shared/constants'
import type { LoginKey } from '../../../shared/schemas/sftp-login'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { PanelButton } from '../../components/layout/panel-button'
import { Fingerprints } from './fingerprints'
import { Section, type LoginPartProps } from './login-part'

import classes from './sftp-login.module.css'

const AddKeysDialog = lazyDialog(async () => (await import('./add-keys-dialog')).AddKeysDialog)

/** The public keys of a login: whoever has the private half of one signs in without the password. */
export function LoginKeys({
  id,
  calls: { change },
  login: { passwordEnd, publicKeys },
  mayChange,
}: LoginPartProps) {
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<LoginKey>()
  const close = () => setRemoved(undefined)
  // One way in has to be left.
  const mayRemove = mayChange && (passwordEnd !== null || publicKeys.length > 1)
  return (
    <Section
      title="Public keys"
      actions={
        mayChange &&
        publicKeys.length < MAX_LOGIN_KEYS && (
          <PanelButton icon={IconPlus} onClick={() => setAdding(true)}>
            Add key
          </PanelButton>
        )
      }
    >
      {publicKeys.length === 0 ? (
        <p className={classes.note}>None. With one, a program signs in without a password.</p>
      ) : (
        <Fingerprints
          label="Public keys"
          keys={publicKeys}
          renderAction={(key) =>
            mayRemove && (
              <PanelButton
                icon={IconTrash}
                aria-label={`Remove the key ${key.comment || key.fingerprint}`}
                onClick={() => setRemoved(key)}
              >
                Remove
              </PanelButton>
            )
          }
        />
      )}
      <AddKeysDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        call={change}
        id={id}
        title="Add a public key"
        submitLabel="Add key"
      />
      <ConfirmDialog
        isOpen={removed !== undefined}
        onClose={close}
        title="Remove the key"
        confirmLabel="Remove"
        isPending={change.isPending}
        onConfirm={() =>
          change.mutate({ id, removeKeys: [removed?.fingerprint ?? ''] }, { onSettled: close })
        }
      >
        Programs that sign in with {removed?.comment || 'it'} are refused from now on.
      </ConfirmDialog>
    </Section>
  )
}
