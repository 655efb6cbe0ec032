import { Button, Stack } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'

import { formatCountOf } from '../../../shared/format'
import { DialogActions } from '../../components/dialog/dialog-actions'
import { CsvDownload } from '../../components/layout/csv-download'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { useFocusOnMount } from '../../lib/use-focus-on-mount'
import { toLoginRows, writeInvitation, type Invitation, type NewLogin } from './invitation-text'
import { useInvitation } from './use-invitation'

import classes from './retailer-list.module.css'

interface AddedRetailersProps {
  logins: readonly NewLogin[]
  onClose: () => void
}

/** The new logins with their invitations: the only place where the passwords are shown. */
export function AddedRetailers({ logins, onClose }: AddedRetailersProps) {
  const invitation = useInvitation()
  const done = useFocusOnMount<HTMLButtonElement>()
  return (
    <Stack gap="md">
      <p className={classes.summary} data-tone="warn">
        {formatCountOf(logins.length, 'retailer has', 'retailers have')} been added. The passwords
        are shown only now: copy or download them before you close this.
      </p>
      <div className={classes.frame}>
        <DataTable
          label="New logins"
          columns={loginColumns(invitation)}
          rows={logins}
          rowKey={({ username }) => username}
        />
      </div>
      <DialogActions>
        <CsvDownload
          rows={toLoginRows(logins, invitation)}
          fileName="retailer-logins.csv"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
        >
          Download as CSV
        </CsvDownload>
        <Button ref={done} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Stack>
  )
}

function loginColumns(invitation: Invitation): Column<NewLogin>[] {
  return [
    { id: 'storeName', header: 'Store Name', cell: ({ storeName }) => storeName },
    { id: 'username', header: 'Username', cell: ({ username }) => username },
    {
      id: 'password',
      header: 'Password',
      width: 210,
      cell: ({ password }) => <code className={classes.password}>{password}</code>,
    },
    {
      id: 'invitation',
      header: 'Invitation',
      width: 130,
      align: 'right',
      cell: (login) => (
        <CopyButton text={writeInvitation(login, invitation)} name={login.storeName} />
      ),
    },
  ]
}

function CopyButton({ text, name }: { text: string; name: string }) {
  const clipboard = useClipboard({ timeout: 2_000 })
  const Glyph = clipboard.copied ? IconCheck : IconCopy
  // The clipboard is only available over https and on localhost.
  const label = clipboard.error ? 'Use the download' : clipboard.copied ? 'Copied' : 'Copy'
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Glyph size={14} aria-hidden="true" />}
      aria-label={`${label} the invitation of ${name}`}
      onClick={() => clipboard.copy(text)}
    >
      {label}
    </Button>
  )
}
